/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of a tracer (tracer.h): what it measures, and how. The target is the topmost measured
 * cgroup. A group is a cgroup or process with counters of its own. An access belongs to the cgroup
 * of the task that submits it (BY_TASK), or to the cgroup that the kernel charges (BY_BLKCG). */
#ifndef IOSPAN_TRACER_OPTIONS_H
#define IOSPAN_TRACER_OPTIONS_H

#include "bpf/abi.h"
#include "user/host/cgroup.h"

#define MAX_GROUPS 1000000U /* maximum number of groups; this many take about 20 GB */

/* How the vfs layer sees system calls. VFS_BY_TRACEPOINT: by two tracepoints, which run for all
 * system calls. The others: by BPF programs on the kernel functions of the measured calls only. */
enum vfs_backend { VFS_BY_TRACEPOINT, VFS_BY_KPROBE, VFS_BY_FENTRY };

struct tracer_options {
	unsigned layers; /* layers to measure, a mask of bits 1 << enum layer */
	/* cgroup (v2) to measure, with all cgroups below it */
	struct cgroup target;
	/* used with BY_BLKCG: the device layer measures I/O that is charged to this cgroup or to
	 * one below it */
	struct cgroup charged;
	enum attribution attribution;
	u32 tgid; /* the only process of .target to measure, needs BY_TASK; 0: all processes */
	enum vfs_backend backend;
	bool faults; /* true: measure page faults that read; needs fentry */
	/* what the vfs layer can do on this kernel: use fentry, measure io_uring, measure libaio */
	bool has_fentry, has_io_uring, has_libaio;
	/* true: each cgroup below the target is a group with counters for the device and vfs
	 * layers */
	bool per_cgroup;
	/* Maximum number of groups, including the target. If .retire is false, this also includes
	 * removed groups, because their numbers are not reused. */
	u32 max_groups;
	/* true: each group also has counters per layer, disk and operation; needs per_cgroup */
	bool per_part;
	/* true: each process is a group, without its child processes; needs BY_TASK */
	bool per_process;
	/* true: new groups get the numbers of removed groups; see retire.h */
	bool retire;
	/* true: tracer_select() may be called; this costs CPU time at the device layer */
	bool selectable;
	bool pressure;	   /* true: measure the pressure (PSI) of the machine and of each cgroup */
	bool bpf_stats;	   /* true: count the runs of the BPF programs, and their time */
	bool of_command;   /* true: the target is the cgroup of one command */
	const char *disks; /* disks to measure: a name, a number or a pattern; NULL: all disks */
	/* bytes of memory for the ring buffers of a recording; 0: there is no recording */
	u64 record_bytes;
};

#endif
