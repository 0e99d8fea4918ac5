/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of a tracer. */
#ifndef IOSPAN_TRACER_OPTIONS_H
#define IOSPAN_TRACER_OPTIONS_H

#include "bpf/abi.h"
#include "user/host/cgroup.h"

#define MAX_GROUPS 1000000U /* takes about 10 GB */

struct tracer_options {
	unsigned layers;       /* bit per LAYER_ */
	struct cgroup target;  /* v2: its tasks are measured */
	struct cgroup charged; /* BY_BLKCG: I/O charged to it is measured; else unused */
	enum attribution attribution;
	bool fentry;				   /* system calls by fentry, else by tracepoints */
	bool faults;				   /* measure page faults; needs fentry */
	bool has_fentry, has_io_uring, has_libaio; /* this kernel lets the vfs layer trace them */
	bool per_cgroup;   /* measure the groups below the target separately, at device and vfs */
	u32 max_groups;	   /* most groups, including the target; with retire: at one time */
	bool per_part;	   /* also by layer, disk and operation; needs per_cgroup */
	bool per_process;  /* groups are processes, which do not nest; needs BY_TASK */
	bool retire;	   /* reuse the numbers of groups that were removed; see retire.h */
	bool of_command;   /* the target is the cgroup of one command */
	const char *disks; /* measure only these: a name, a number, a pattern; NULL: all */
	u64 record_bytes;  /* memory for tracer_record(); 0: nothing is recorded */
};

#endif
