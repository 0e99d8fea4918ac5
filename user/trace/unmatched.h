/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text for a filter that matches nothing: "no device matches 'x*'; present: loop0, vda". */
#ifndef IOSPAN_TRACE_UNMATCHED_H
#define IOSPAN_TRACE_UNMATCHED_H

#include "user/trace/filter.h"

struct present {
	char *list; /* the first names */
	u32 n;	    /* of all names */
};

void present_add(struct present *p, const char *name);

/* Returns the text, and releases @p. @what: "device", "process with I/O". The caller frees it. */
char *unmatched_text(struct present *p, const char *what, const char *wanted);

/* Returns the text if no disk of this machine matches @wanted, else NULL. The caller frees it. */
char *unmatched_disks(const char *wanted);

/* Warn at the start of a recording that no disk matches, as one may be added later, and at its end
 * that no access of any layer passed the filter. */
void unmatched_warn_start(const struct trace_filter *f);
void unmatched_warn_end(const struct trace_filter *f, const u64 accesses[LAYERS]);

#endif
