/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace has each name of a process, file, disk or group once, and refers to it by a number. This
 * file finds the number for the processes, files, disks and groups that BPF programs have
 * recorded. */
#ifndef IOSPAN_RECORDER_NAMES_H
#define IOSPAN_RECORDER_NAMES_H

#include "user/kernel/maps.h"
#include "user/trace/trace.h"

/* Maximum number of names of processes and files; each takes about 300 bytes. Further accesses get
 * no name and are counted in m->unnamed. */
#define NAMES_MAX (1U << 20)

struct recorder_names {
	struct maps *m;
	struct trace_writer *w;
	void *processes, *files; /* trees of struct known */
	u32 known_n, added_n;
	u64 renamed; /* number of times that a process or file got another name */
	/* accesses that ended before this time are all in the trace, and need no name any more */
	u64 settled_ns;
	/* indexed by group number: number of the group's name in the trace */
	u32 *groups, groups_n;
	u32 *disks;
};

void recorder_names_init(struct recorder_names *names, struct maps *m, struct trace_writer *w);
void recorder_names_release(struct recorder_names *names);

/* Adds a name that a BPF program has recorded. */
void recorder_names_add(struct recorder_names *names, const struct named_record *n);

/* Return the number of a name in the trace, or 0 if there is none. A process or a file can change
 * its name; the result is for time @ns. The caller may reuse it for accesses that end at *@from_ns
 * or later: if the name at @ns is the latest one, *@from_ns is raised to the time at which it
 * began; otherwise *@from_ns becomes ~0. @fd is a descriptor that the process of @a may still have
 * open on the file, or -1 if it is not known. */
u32 recorder_names_process(struct recorder_names *names, u32 tgid, u64 ns, u64 *from_ns);
u32 recorder_names_file(struct recorder_names *names, const struct recorded *a, int fd, u64 ns,
			u64 *from_ns);
u32 recorder_names_disk(struct recorder_names *names, u32 disk);
u32 recorder_names_group(struct recorder_names *names, u32 group);

#endif
