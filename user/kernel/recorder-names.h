/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel's numbers are in a trace: a part of recorder.c. */
#ifndef IOSPAN_RECORDER_NAMES_H
#define IOSPAN_RECORDER_NAMES_H

#include "user/kernel/maps.h"
#include "user/trace/trace.h"

/* More names of processes and files than this are not kept: who gets one then has none, and counts
 * in maps' unnamed; nor are more than some times as many of their combinations kept apart. Some
 * 300 bytes each. */
#define NAMES_MAX (1U << 20)

struct namer {
	struct maps *m;
	struct trace_writer *w;
	void *processes, *files; /* trees of struct known */
	u32 known_n, told_n;
	u64 renamed;	       /* how often a number got another name */
	u64 settled_ns;	       /* all that ended before has its names */
	u32 *groups, groups_n; /* by the kernel's number */
	u32 *disks;
};

void namer_init(struct namer *names, struct maps *m, struct trace_writer *w);
void namer_drop(struct namer *names);

/* What a kernel program has told. */
void namer_told(struct namer *names, const struct named_record *n);

/* The trace's number; 0: none. That of a process, or of @a's file, at @ns; *@from_ns becomes no
 * less than since when it is called so, and ~0 if it is no more. @fd: where @a's process may still
 * have it open; -1: it is not known. */
u32 namer_process(struct namer *names, u32 tgid, u64 ns, u64 *from_ns);
u32 namer_file(struct namer *names, const struct recorded *a, int fd, u64 ns, u64 *from_ns);
u32 namer_disk(struct namer *names, u32 disk);
u32 namer_group(struct namer *names, u32 group);

#endif
