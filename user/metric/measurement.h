/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a measurement: sums for each layer, disk, operation and group. Times are in ns. */
#ifndef IOSPAN_METRIC_MEASUREMENT_H
#define IOSPAN_METRIC_MEASUREMENT_H

#include "bpf/abi.h"
#include "user/metric/metric.h"

extern const char *const layer_names[LAYERS + 1];

/* Names of operations, for reports: enum op, enum vfs_op, enum source. */
extern const char *const op_names[OP_MAX + 1];
extern const char *const vfs_op_names[CALL_OPS];
extern const char *const source_names[SRC_MAX];

struct disk_sum {
	char name[DISK_NAME];
	u32 dev;
	bool stacked;
	struct sum all;		    /* reads and writes */
	struct sum ops[DEVICE_OPS]; /* read, write, flush, discard, other */
};

/* What a group did by one operation, at the vfs layer or on one disk. */
struct group_part {
	enum layer layer;
	u32 dev; /* of the disk; 0: vfs */
	u32 op;	 /* enum vfs_op, enum op */
	u128 bytes, latency_ns;
	u64 accesses, errors, span_ns;
};

/* A group with all groups below it. */
struct group_sum {
	u64 id;
	char *path;		  /* "/": the command's own; NULL: see others; as
					 * group_path() tells it */
	u64 born_ns;		  /* CLOCK_MONOTONIC: when it was first seen; 0: at once */
	bool removed;		  /* no longer exists; what it left may still do I/O */
	struct sum device;	  /* reads and writes, bottom disks */
	struct sum vfs;		  /* reads and writes */
	struct group_part *parts; /* those that did something, by layer, disk, operation */
	unsigned parts_n;
};

struct loss {
	const char *name; /* in JSON */
	const char *text; /* for people */
	u64 n;
};

/* Runs of one of our programs that the kernel left out: it was in the middle of a
 * run of the same program on that CPU. */
#define MISSED_MAX 96
struct missed {
	char program[24];
	u64 runs;
};

struct measurement {
	u64 begin_ns, elapsed_ns;  /* CLOCK_MONOTONIC */
	struct sum layers[LAYERS]; /* reads and writes */
	struct sum app_ops[CALL_OPS], vfs_ops[CALL_OPS];
	struct sum app_ring, vfs_sources[SRC_MAX]; /* without T */
	struct disk_sum *disks;
	unsigned disks_n;
	struct group_sum *groups; /* per_cgroup only, by path and id; those with T */
	unsigned groups_n;
	struct group_sum others;	  /* groups without a row; they are in those above, too */
	struct group_part *parts;	  /* of all groups; NULL: not per_part */
	u64 app_device_ns, vfs_device_ns; /* joint spans */
	struct loss losses[32];		  /* ends with a NULL name */
	struct missed missed[MISSED_MAX]; /* each program that was loaded */
	unsigned missed_n;
	char missed_text[256]; /* those that missed some */
	struct notes notes;
	u64 app_programs; /* that loaded the library */
	u64 in_flight;	  /* device accesses not over at the end */
};

void measurement_free(struct measurement *m); /* NULL is fine */

/* The difference of two measurements of one tracer: @now without what @before has, and without
 * groups. For measurement_free(). */
struct measurement *measurement_since(const struct measurement *now,
				      const struct measurement *before);

/* Fills missed_text with the programs that missed runs; returns how many runs. */
u64 measurement_missed(struct measurement *m);

/* Adds reads and writes up to all of @d, and to those of the layer unless it is stacked. */
void disk_add_up(struct disk_sum *d, struct sum *layer);

/* NULL at the app layer, which has no groups. */
const struct sum *group_layer(const struct group_sum *g, enum layer layer);

/* Compares paths. A measurement has its groups in this order: each right before those below it. */
int group_path_order(const char *a, const char *b);

/* Whether @path is that of a group below @above. */
bool group_is_below(const char *path, const char *above);

#endif
