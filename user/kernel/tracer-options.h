/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of a tracer (tracer.h): what it measures, and how. */
#ifndef IOSPAN_TRACER_OPTIONS_H
#define IOSPAN_TRACER_OPTIONS_H

#include "bpf/abi.h"
#include "user/host/cgroup.h"

#define MAX_GROUPS 1000000U /* this number of groups takes about 10 GB */

struct tracer_options {
	unsigned layers;      /* layers to measure: bit mask of 1 << enum layer */
	struct cgroup target; /* cgroup (v2) to measure: its tasks and those of cgroups below it */
	/* if BY_BLKCG: I/O that the kernel charges to it or below it is measured */
	struct cgroup charged;
	enum attribution attribution;
	/* true: system calls by fentry; false: by tracepoints */
	bool fentry;
	bool faults; /* true: measure page faults that read; needs fentry */
	/* true if, on this kernel, the vfs layer can use fentry, trace io_uring, trace libaio */
	bool has_fentry, has_io_uring, has_libaio;
	/* each group below the target separately, at the device and vfs layers */
	bool per_cgroup;
	/* maximum number of groups, with the target; if retire, at one time */
	u32 max_groups;
	/* also split groups by layer, disk and operation; needs per_cgroup */
	bool per_part;
	/* each process is a group; groups do not nest; needs BY_TASK */
	bool per_process;
	/* true: reuse the numbers of removed groups for new ones; see retire.h */
	bool retire;
	bool of_command;   /* the target is the cgroup of one command */
	const char *disks; /* disks to measure: a name, a number or a pattern; NULL: all disks */
	u64 record_bytes;  /* bytes of ring buffers; 0: nothing is recorded */
};

#endif
