/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts for a filter that matches nothing, such as "no device matches 'x*'; present: loop0,
 * vda". */
#ifndef IOSPAN_TRACE_UNMATCHED_H
#define IOSPAN_TRACE_UNMATCHED_H

#include "user/trace/filter.h"

struct present {
	char *list; /* the first names, with commas */
	u32 n;	    /* count of all names */
};

void present_add(struct present *p, const char *name);

/* Returns the text, which the caller frees, and releases @p. @what is a noun such as "device" or
 * "process with I/O". @wanted is the filter. */
char *unmatched_text(struct present *p, const char *what, const char *wanted);

/* If no disk of this machine matches @wanted, returns the text, which the caller frees. Else
 * returns NULL. */
char *unmatched_disks(const char *wanted);

/* Print warnings. unmatched_warn_start() is for the start of a recording: it warns if no disk
 * matches now. It is only a warning, as a matching disk may be added later. unmatched_warn_end()
 * warns if no access of any layer passed the filter. */
void unmatched_warn_start(const struct trace_filter *f);
void unmatched_warn_end(const struct trace_filter *f, const u64 accesses[LAYERS]);

#endif
