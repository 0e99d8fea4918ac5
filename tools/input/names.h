/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Disks, groups, processes and files of several traces, under numbers of their own: what
 * has the same name in two of them is the same. */
#ifndef IOSPAN_NAMES_H
#define IOSPAN_NAMES_H

#include "user/trace/trace.h"
#include "user/trace/write.h"

/* Number 0 of each kind is what is not known: "(unknown)". */
struct names {
	struct trace_name **of[TRACE_KINDS];
	u32 n[TRACE_KINDS], room[TRACE_KINDS];
	void *tree[TRACE_KINDS]; /* tsearch(3) */
};

void names_init(struct names *all);
void names_drop(struct names *all);

/* The number of @n, whose parent is one of ours; its text gets "@host:" before it,
 * unless that is NULL. */
u32 names_number(struct names *all, const struct trace_name *n, const char *host);

/* "/job/a", "dd (1234)": as a row of a table; the caller frees it. */
char *names_title(const struct names *all, u32 kind, u32 number);

/* A trace_lookup: @all is a struct names. */
const struct trace_name *names_name(const void *all, u32 kind, u32 number);

#endif
