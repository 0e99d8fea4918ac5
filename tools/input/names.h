/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives the disks, cgroups, processes and files of several traces numbers that are valid for all
 * traces. Equal names have the same number. */
#ifndef IOSPAN_NAMES_H
#define IOSPAN_NAMES_H

#include "user/trace/trace.h"
#include "user/trace/write.h"

/* The names of several traces by kind and number. Number 0 of each kind is "(unknown)". */
struct names {
	struct trace_name **of[TRACE_KINDS];
	u32 n[TRACE_KINDS], room[TRACE_KINDS];
	void *tree[TRACE_KINDS]; /* binary trees of tsearch(3) */
};

void names_init(struct names *all);
void names_drop(struct names *all);

/* Returns the number of name @n; a new name gets a new number. n->parent must be a number in
 * @all. If @host is not NULL, the text of the name becomes "HOST:TEXT". */
u32 names_number(struct names *all, const struct trace_name *n, const char *host);

/* Returns a new string with the name as reports print it: "/job/a", "dd[1234]", "md0*". The star
 * marks a stacked disk. The caller frees the string. */
char *names_title(const struct names *all, u32 kind, u32 number);

/* Looks up a name. It can be passed as a trace_lookup; then @all is a struct names. */
const struct trace_name *names_name(const void *all, u32 kind, u32 number);

#endif
