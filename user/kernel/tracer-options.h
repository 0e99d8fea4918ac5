/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of a tracer (tracer.h): what it measures, and how. The target is the topmost measured
 * cgroup. A group is a cgroup or process with counters of its own. An access belongs to the cgroup
 * of the task that submits it (BY_TASK), or to the cgroup that the kernel charges (BY_BLKCG). */
#ifndef IOSPAN_TRACER_OPTIONS_H
#define IOSPAN_TRACER_OPTIONS_H

#include "bpf/abi.h"
#include "user/host/cgroup.h"

#define MAX_GROUPS 1000000U /* maximum number of groups; all together take about 20 GB */

/* How the vfs layer follows system calls: by two tracepoints of all calls, or by programs that are
 * attached to the kernel functions of the measured calls. */
enum vfs_backend { VFS_BY_TRACEPOINT, VFS_BY_KPROBE, VFS_BY_FENTRY };

struct tracer_options {
	unsigned layers; /* layers to measure: bit mask of 1 << enum layer */
	/* cgroup (v2) to measure: its tasks, and the tasks of all cgroups below it */
	struct cgroup target;
	/* Used with BY_BLKCG. The device layer measures the I/O that the kernel charges to this
	 * cgroup or to cgroups below it. */
	struct cgroup charged;
	enum attribution attribution;
	u32 tgid; /* if not 0: measure only this process of .target; needs BY_TASK */
	enum vfs_backend backend;
	bool faults; /* true: measure page faults that read; needs fentry */
	/* true: this kernel permits the vfs layer to use fentry, to measure io_uring, to measure
	 * libaio */
	bool has_fentry, has_io_uring, has_libaio;
	/* true: measure each cgroup below the target separately, at the device and vfs layers */
	bool per_cgroup;
	/* Maximum number of groups, including the target. If .retire is false, removed groups are
	 * included, because their numbers are not reused. */
	u32 max_groups;
	/* true: also measure each group by layer, disk and operation; needs per_cgroup */
	bool per_part;
	/* true: each process is a group; needs BY_TASK. The group of a process does not include its
	 * child processes. */
	bool per_process;
	/* true: reuse the numbers of removed groups for new ones; see retire.h */
	bool retire;
	/* true: tracer_select() may select a group, which costs CPU time at the device layer */
	bool selectable;
	bool pressure;	   /* true: measure the pressure (PSI) of the machine and of each cgroup */
	bool bpf_stats;	   /* true: count the runs of the BPF programs, and their time */
	bool of_command;   /* true: the target is the cgroup of one command */
	const char *disks; /* disks to measure: a name, a number or a pattern; NULL: all disks */
	/* memory for the ring buffers of a recording, in bytes; 0: nothing is recorded */
	u64 record_bytes;
};

#endif
