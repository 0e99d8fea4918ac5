/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages such as "no device matches 'x*'; present: loop0, vda". */
#ifndef IOSPAN_TRACE_UNMATCHED_H
#define IOSPAN_TRACE_UNMATCHED_H

#include "user/trace/filter.h"

struct present {
	char *list; /* the names that are present, separated by commas; only the first ones */
	u32 n;
};

void present_add(struct present *p, const char *name);

/* Frees the list of @p. @what: "device", "process with I/O". The caller frees the message. */
char *unmatched_text(struct present *p, const char *what, const char *wanted);

/* Returns NULL if a disk matches @wanted; otherwise a message, which the caller frees. */
char *unmatched_disks(const char *wanted);

/* Print a warning if the filter matches no disk at the start, or no access at the end. @accesses:
 * by layer. A matching disk may still be added, so this is no error. */
void unmatched_warn_start(const struct trace_filter *f);
void unmatched_warn_end(const struct trace_filter *f, const u64 accesses[LAYERS]);

#endif
