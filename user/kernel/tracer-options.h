/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of a tracer (tracer.h): what it measures, and how. */
#ifndef IOSPAN_TRACER_OPTIONS_H
#define IOSPAN_TRACER_OPTIONS_H

#include "bpf/abi.h"
#include "user/host/cgroup.h"

#define MAX_GROUPS 1000000U /* maximum number of groups; as many take about 20 GB of memory */

struct tracer_options {
	unsigned layers; /* layers to measure: bit mask of 1 << enum layer */
	/* cgroup (v2) to measure: its tasks, and the tasks of all cgroups below it */
	struct cgroup target;
	/* with BY_BLKCG: the device layer measures the I/O that the kernel charges to this cgroup
	 * or to cgroups below it */
	struct cgroup charged;
	enum attribution attribution;
	u32 tgid; /* if not 0: measure only this process of .target; needs BY_TASK */
	/* true: the vfs layer traces system calls by fentry; false: by tracepoints */
	bool fentry;
	bool faults; /* true: measure page faults that read; needs fentry */
	/* three features of the vfs layer: true if this kernel permits them */
	bool has_fentry, has_io_uring, has_libaio;
	/* true: measure each cgroup below the target separately, at the device and vfs layers */
	bool per_cgroup;
	/* Maximum number of groups, including the target. If .retire is true, it is the maximum at
	 * one time; otherwise it also includes groups that no longer exist. */
	u32 max_groups;
	/* true: also split groups by layer, disk and operation; needs per_cgroup */
	bool per_part;
	/* true: each process is a group, and a child process is not part of its parent's group;
	 * needs BY_TASK */
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
