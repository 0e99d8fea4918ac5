/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the number that the name of a process, file, disk or group has in the trace. Accesses in
 * the trace have these numbers in place of names. */
#ifndef IOSPAN_RECORDER_NAMES_H
#define IOSPAN_RECORDER_NAMES_H

#include "user/kernel/maps.h"
#include "user/trace/trace.h"

/* Maximum number of processes and files that have a name in the trace. Each takes about 300 bytes
 * of memory. Accesses without a name are counted in m->unnamed. */
#define NAMES_MAX (1U << 20)

struct recorder_names {
	struct maps *m;
	struct trace_writer *w;
	void *processes, *files; /* trees of struct known, to find a process or file by its id */
	u32 known_n, added_n;
	u64 renamed; /* number of times that a process or file got another name */
	/* all accesses that ended before this time are in the trace already */
	u64 settled_ns;
	/* indexed by group number: number that the name of the group has in the trace */
	u32 *groups, groups_n;
	u32 *disks;
};

void recorder_names_init(struct recorder_names *names, struct maps *m, struct trace_writer *w);
void recorder_names_release(struct recorder_names *names);

void recorder_names_add(struct recorder_names *names, const struct named_record *n);

/* These functions return the number of a name in the trace; 0: there is no name.
 *
 * A process or file may get another name. The result is its name at time @ns. The caller may use
 * the result for all accesses of this process or file that end at *@from_ns or later. If the name
 * is valid only from a later time on, the functions set *@from_ns to this time. If the name was
 * replaced after @ns, they set it to ~0 (never).
 *
 * @fd is a descriptor, or -1. The process that made the access @a may have the file open as @fd. */
u32 recorder_names_process(struct recorder_names *names, u32 tgid, u64 ns, u64 *from_ns);
u32 recorder_names_file(struct recorder_names *names, const struct recorded *a, int fd, u64 ns,
			u64 *from_ns);
u32 recorder_names_disk(struct recorder_names *names, u32 disk);
u32 recorder_names_group(struct recorder_names *names, u32 group);

#endif
