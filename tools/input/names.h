/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Common numbers for the disks, cgroups, processes and files of several traces. Equal names have
 * one number. */
#ifndef IOSPAN_NAMES_H
#define IOSPAN_NAMES_H

#include "user/trace/trace.h"
#include "user/trace/write.h"

/* Number 0 of each kind is "(unknown)". */
struct names {
	struct trace_name **of[TRACE_KINDS];
	u32 n[TRACE_KINDS], room[TRACE_KINDS];
	void *tree[TRACE_KINDS]; /* tsearch(3) */
};

void names_init(struct names *all);
void names_drop(struct names *all);

/* Returns the number of @n, which is new or known. @n->parent is a common number. If @host is not
 * NULL, the text becomes "HOST:TEXT". */
u32 names_number(struct names *all, const struct trace_name *n, const char *host);

/* Returns the name as reports print it, such as "/job/a", "dd (1234)", "md0*". The caller frees
 * it. */
char *names_title(const struct names *all, u32 kind, u32 number);

/* A trace_lookup; @all is a struct names. */
const struct trace_name *names_name(const void *all, u32 kind, u32 number);

#endif
