/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers the disks, cgroups, processes and files of several traces, so that a number is valid for
 * all of them. Equal names get the same number. */
#ifndef IOSPAN_NAMES_H
#define IOSPAN_NAMES_H

#include "user/trace/trace.h"
#include "user/trace/write.h"

/* All names: of[kind][number]. Number 0 of each kind is "(unknown)". */
struct names {
	struct trace_name **of[TRACE_KINDS];
	u32 n[TRACE_KINDS], room[TRACE_KINDS];
	/* trees of tsearch(3) that find an equal name, one for each kind */
	void *tree[TRACE_KINDS];
};

void names_init(struct names *all);
void names_drop(struct names *all);

/* Returns the number of the name @n. A name that is not known yet is copied and gets the next
 * number. n->parent must be a number in @all. If @host is not NULL, the text of the name becomes
 * "HOST:TEXT". */
u32 names_number(struct names *all, const struct trace_name *n, const char *host);

/* Returns the name as reports print it: "/job/a", "dd[1234]" (with pid), or "md0*" (a stacked
 * disk). The caller frees the string. */
char *names_title(const struct names *all, u32 kind, u32 number);

/* Returns the name with number @number. The function can be passed where a trace_lookup is needed;
 * @all is then a struct names. */
const struct trace_name *names_name(const void *all, u32 kind, u32 number);

#endif
