/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers the disks, cgroups, processes and files of several traces. A number is valid for all
 * traces, and equal names have the same number. */
#ifndef IOSPAN_NAMES_H
#define IOSPAN_NAMES_H

#include "user/trace/trace.h"
#include "user/trace/write.h"

/* All names: of[kind][number]. Number 0 of each kind is "(unknown)". */
struct names {
	struct trace_name **of[TRACE_KINDS];
	u32 n[TRACE_KINDS], room[TRACE_KINDS];
	/* search trees by name (tsearch(3)), one for each kind */
	void *tree[TRACE_KINDS];
};

void names_init(struct names *all);
void names_drop(struct names *all);

/* Returns the number of the name @n. A new name is copied and gets the next number. n->parent must
 * be a number in @all. If @host is not NULL, the copy's text is "HOST:TEXT". */
u32 names_number(struct names *all, const struct trace_name *n, const char *host);

/* Returns a name as reports print it, such as "/job/a", "dd[1234]" (with pid) or "md0*" (stacked).
 * The caller frees it. */
char *names_title(const struct names *all, u32 kind, u32 number);

/* Returns the name of @kind with @number. @all is a struct names; it is void * because this
 * function serves as a trace_lookup callback. */
const struct trace_name *names_name(const void *all, u32 kind, u32 number);

#endif
