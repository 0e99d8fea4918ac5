/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Maps the numbers of the kernel programs to numbers of names in a trace. */
#ifndef IOSPAN_RECORDER_NAMES_H
#define IOSPAN_RECORDER_NAMES_H

#include "user/kernel/maps.h"
#include "user/trace/trace.h"

/* Maximum number of names of processes and files, about 300 bytes each. Accesses beyond get no name
 * and are counted in maps' unnamed. */
#define NAMES_MAX (1U << 20)

struct recorder_names {
	struct maps *m;
	struct trace_writer *w;
	void *processes, *files; /* trees of struct known */
	u32 known_n, added_n;
	u64 renamed;	       /* how often a number got another name */
	u64 settled_ns;	       /* all accesses that ended before have their names */
	u32 *groups, groups_n; /* [number in the kernel]: number in the trace */
	u32 *disks;
};

void recorder_names_init(struct recorder_names *names, struct maps *m, struct trace_writer *w);
void recorder_names_release(struct recorder_names *names);

/* Adds a name that a kernel program has recorded. */
void recorder_names_add(struct recorder_names *names, const struct named_record *n);

/* Return the number of a name in the trace; 0: none. A process, or the file of @a, may change its
 * name: the number is that of its name at @ns. *@from_ns is raised to the time from which that name
 * is valid, or to ~0 if it is no longer valid. @fd: a descriptor that the process of @a may still
 * have open on the file; -1: not known. */
u32 recorder_names_process(struct recorder_names *names, u32 tgid, u64 ns, u64 *from_ns);
u32 recorder_names_file(struct recorder_names *names, const struct recorded *a, int fd, u64 ns,
			u64 *from_ns);
u32 recorder_names_disk(struct recorder_names *names, u32 disk);
u32 recorder_names_group(struct recorder_names *names, u32 group);

#endif
