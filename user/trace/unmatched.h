/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages for a user's filter that matches nothing, such as "no device matches 'vdx'; did you mean
 * 'vda'? present: loop0, vda". */
#ifndef IOSPAN_TRACE_UNMATCHED_H
#define IOSPAN_TRACE_UNMATCHED_H

#include "user/trace/filter.h"

struct present {
	/* names of existing disks, processes and so on: n names, then NULL */
	char **names;
	u32 n, room;
};

void present_add(struct present *p, const char *name);
void present_free(struct present *p);

/* Makes the message that nothing matches the user's filter @wanted, and frees the names in @p. @p
 * has the names that exist. @what is a noun for the names, such as "device" or "process with I/O".
 * The caller frees the message. */
char *unmatched_text(struct present *p, const char *what, const char *wanted);

/* Returns NULL if the filter @wanted matches a disk of this machine. Otherwise returns the message
 * that no disk matches, which the caller frees. */
char *unmatched_disks(const char *wanted);

/* Warn about a user's filter that matches nothing. Call unmatched_warn_disks() with the patterns
 * for disks when a measurement starts. It warns about each pattern that matches no disk of this
 * machine. The measurement can go on, because the disk may be added later. Call
 * unmatched_warn_end() at the end, with the numbers of accesses that passed the filter, by layer.
 * It warns if all are 0. */
void unmatched_warn_disks(const char *list);
void unmatched_warn_end(const struct trace_filter *f, const u64 accesses[LAYERS]);

#endif
