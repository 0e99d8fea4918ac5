/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a measurement: sums for each layer, disk, operation and group. A group is a cgroup,
 * or a process if the measurement is per process. Times are in ns. */
#ifndef IOSPAN_METRIC_MEASUREMENT_H
#define IOSPAN_METRIC_MEASUREMENT_H

#include "bpf/abi.h"
#include "user/metric/metric.h"

extern const char *const layer_names[LAYERS + 1];

/* the name of reads and writes together in all tables */
#define READ_WRITE "read+write"

/* Names for reports, by enum op, enum vfs_op and enum source. */
extern const char *const op_names[OP_MAX + 1];
extern const char *const vfs_op_names[CALL_OPS];
extern const char *const source_names[SRC_MAX];

struct disk_sum {
	char name[DISK_NAME];
	u32 dev;
	bool stacked;
	struct sum all;		    /* reads and writes together */
	struct sum ops[DEVICE_OPS]; /* indexed by enum op */
};

/* Counters of one operation of a group (a cgroup or process), either at the vfs layer or on one
 * disk. */
struct group_part {
	enum layer layer;
	u32 dev; /* device number of the disk; 0 at the vfs layer */
	u32 op;	 /* enum vfs_op at the vfs layer, enum op on a disk */
	u128 bytes, latency_ns;
	u64 accesses, errors, span_ns;
};

/* Counters of a group (a cgroup or process), which include the groups below it. */
struct group_sum {
	u64 id;
	/* result of group_path(); "/": the command's cgroup; NULL: the total of all cgroups without
	 * own counters */
	char *path;
	/* time at which iospan first saw the group (CLOCK_MONOTONIC); 0: at the start */
	u64 born_ns;
	/* the cgroup or process no longer exists; its dirty pages may still cause I/O */
	bool removed;
	struct sum device; /* device layer: reads and writes on disks that are not stacked */
	struct sum vfs;	   /* vfs layer: reads and writes; its W includes syncs */
	struct sum sync;   /* vfs layer: syncs; T is not measured */
	/* counters by layer, disk and operation, in this order; only those with accesses */
	struct group_part *parts;
	unsigned parts_n;
};

struct loss {
	const char *name; /* name in JSON */
	const char *text; /* description for people; "access[|es]": singular and plural */
	u64 n;
};

/* struct missed counts the runs of a BPF program that the kernel skipped, because the program was
 * already running on that CPU. */
#define MISSED_MAX 96
struct missed {
	char program[24];
	u64 runs;
};

struct measurement {
	u64 begin_ns, elapsed_ns;  /* start (CLOCK_MONOTONIC) and duration */
	struct sum layers[LAYERS]; /* reads and writes of each layer */
	struct sum app_ops[CALL_OPS], vfs_ops[CALL_OPS];
	/* app_ring: io_uring and libaio at the app layer. vfs_sources: the vfs layer by enum
	 * source. T of these sums is not measured. */
	struct sum app_ring, vfs_sources[SRC_MAX];
	struct disk_sum *disks;
	unsigned disks_n;
	/* groups with accesses or T, ordered by path and id; NULL: not measured per group */
	struct group_sum *groups;
	unsigned groups_n;
	/* total of the cgroups without own counters, which are not in @groups; their I/O is also in
	 * the sums of their parents */
	struct group_sum others;
	struct group_part *parts;	  /* the array that the .parts of all groups point into */
	/* joint spans: union of W of the app or vfs layer and W of the device layer */
	u64 app_device_ns, vfs_device_ns;
	struct loss losses[32];		  /* the last entry has a name of NULL */
	struct missed missed[MISSED_MAX]; /* one entry per loaded BPF program */
	unsigned missed_n;
	char missed_text[256]; /* list for people, written by measurement_missed() */
	/* explains why the filter of interval_select() has removed all rows; NULL: there are
	 * rows */
	char *unmatched;
	struct notes notes;
	u64 app_programs; /* number of executed programs that loaded libiospan.so */
	u64 in_flight;	  /* number of device accesses in flight at the end */
};

void measurement_free(struct measurement *m); /* @m may be NULL */

/* Returns the difference of two measurements of one tracer, @now minus @before. It has no groups.
 * The caller frees it with measurement_free(). */
struct measurement *measurement_since(const struct measurement *now,
				      const struct measurement *before);

/* Sets missed_text to a list of the BPF programs with skipped runs. Returns the number of these
 * runs. */
u64 measurement_missed(struct measurement *m);

/* Adds the reads and writes of @d to d->all, and to @layer unless @d is stacked. */
void disk_add_up(struct disk_sum *d, struct sum *layer);

/* Returns the sum of group @g at @layer. Returns NULL at the app layer, which has no groups. */
const struct sum *group_layer(const struct group_sum *g, enum layer layer);

/* Returns the sum of group @g's accesses of @set. */
static inline struct sum *group_set(struct group_sum *g, enum group_set set)
{
	return set == SET_DEVICE ? &g->device : set == SET_VFS ? &g->vfs : &g->sync;
}

/* Compares two paths for qsort(3). In this order, each group comes right before the groups below
 * it. */
int group_path_order(const char *a, const char *b);

bool group_is_below(const char *path, const char *above);

#endif
