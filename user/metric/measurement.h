/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a measurement: sums per layer, disk, operation and group. A group is a cgroup or,
 * if the measurement is per process, a process. Times are in ns. */
#ifndef IOSPAN_METRIC_MEASUREMENT_H
#define IOSPAN_METRIC_MEASUREMENT_H

#include "bpf/abi.h"
#include "user/metric/loss.h"
#include "user/metric/metric.h"
#include "user/metric/pressure.h"

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
	struct sum all;		    /* reads and writes of the disk together */
	struct sum ops[DEVICE_OPS]; /* accesses of the disk, by enum op */
};

/* Counters of one operation of a group (a cgroup or process), either at the vfs layer or on one
 * disk. */
struct group_part {
	enum layer layer;
	u32 dev; /* device number of the disk; 0 at the vfs layer */
	u32 op;	 /* enum vfs_op at the vfs layer, else enum op */
	u128 bytes, latency_ns;
	u64 accesses, errors, span_ns;
};

/* Counters of a group (a cgroup or process). They include the groups below it. */
struct group_sum {
	u64 id;
	/* Path of the group, from group_path(); "/": the command's cgroup; NULL: this is the total
	 * of all cgroups without own counters. */
	char *path;
	/* time at which iospan first saw the group (CLOCK_MONOTONIC); 0: at the start */
	u64 born_ns;
	/* the cgroup or process no longer exists; its dirty pages may still cause I/O */
	bool removed;
	struct sum device; /* device layer: reads and writes on disks that are not stacked */
	struct sum vfs;	   /* vfs layer: reads and writes; its W includes syncs */
	struct sum sync;   /* vfs layer: syncs; T is not measured */
	struct pressure pressure;
	/* counters by layer, disk and operation, in this order; only those with accesses */
	struct group_part *parts;
	unsigned parts_n;
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
	/* Sums for which T, the time with an access in flight, is not measured. .app_ring: io_uring
	 * and libaio requests at the app layer. .vfs_sources: accesses of the vfs layer by enum
	 * source. */
	struct sum app_ring, vfs_sources[SRC_MAX];
	struct disk_sum *disks;
	unsigned disks_n;
	/* groups with accesses or T, ordered by path and id; NULL: not measured per group */
	struct group_sum *groups;
	unsigned groups_n;
	/* sum of the cgroups without own counters, which have no element in .groups; the sums of
	 * their parents also include their accesses */
	struct group_sum others;
	struct group_part *parts; /* the array that the .parts of all groups point into */
	/* Joint spans, in ns. .app_device_ns: union of W (the wait span) of the app layer and W of
	 * the device layer. .vfs_device_ns: union of W of the vfs layer and W of the device
	 * layer. */
	u64 app_device_ns, vfs_device_ns;
	struct pressure pressure;	  /* pressure of the machine; .dirty_ns is not known */
	struct loss losses[32];		  /* the last entry has a name of NULL */
	struct missed missed[MISSED_MAX]; /* skipped runs, one element per loaded BPF program */
	unsigned missed_n;
	/* explains why the filter of interval_select() has removed all rows; NULL: there are
	 * rows */
	char *unmatched;
	struct notes notes;
	u64 app_programs; /* number of executed programs that loaded libiospan.so */
	u64 in_flight;	  /* number of device accesses in flight at the end */
};

void measurement_free(struct measurement *m);

/* Returns the difference of two measurements of one tracer, @now minus @before, without groups. The
 * caller frees it by measurement_free(). */
struct measurement *measurement_since(const struct measurement *now,
				      const struct measurement *before);

/* Returns the number of runs of BPF programs that the kernel skipped. */
u64 measurement_missed(const struct measurement *m);

/* Adds the reads and writes of disk @d to d->all and, unless the disk is stacked, to @layer. */
void disk_add_up(struct disk_sum *d, struct sum *layer);

/* Returns the sum of @g at @layer; NULL at the app layer, which has no groups. */
const struct sum *group_layer(const struct group_sum *g, enum layer layer);

/* Returns true if @g has had accesses or has some in flight. */
bool group_is_used(const struct group_sum *g);

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
