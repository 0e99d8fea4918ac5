/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a measurement: sums for each layer, disk, operation and group. A group is a cgroup,
 * or a process where the measurement is per process. Times are in ns. */
#ifndef IOSPAN_METRIC_MEASUREMENT_H
#define IOSPAN_METRIC_MEASUREMENT_H

#include "bpf/abi.h"
#include "user/metric/metric.h"

extern const char *const layer_names[LAYERS + 1];

/* The name of reads and writes together, in all tables. */
#define READ_WRITE "read+write"

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

/* The accesses of a group by one operation at the vfs layer or on one disk. */
struct group_part {
	enum layer layer;
	u32 dev; /* the disk; 0: vfs */
	u32 op;	 /* enum vfs_op, enum op */
	u128 bytes, latency_ns;
	u64 accesses, errors, span_ns;
};

/* The accesses of a group and of all groups below it. */
struct group_sum {
	u64 id;
	char *path;   /* of group_path(); "/": the command's group; NULL: groups without a row */
	u64 born_ns;  /* CLOCK_MONOTONIC: first seen; 0: at the start */
	bool removed; /* no longer exists; its dirty pages may still cause I/O */
	struct sum device;	  /* reads and writes, bottom disks */
	struct sum vfs;		  /* reads and writes */
	struct group_part *parts; /* with accesses; ordered by layer, disk, operation */
	unsigned parts_n;
};

struct loss {
	const char *name; /* in JSON */
	const char *text; /* for people; "access[|es]": singular and plural */
	u64 n;
};

/* Runs of a BPF program that the kernel skipped, because the program was already running on that
 * CPU. */
#define MISSED_MAX 96
struct missed {
	char program[24];
	u64 runs;
};

struct measurement {
	u64 begin_ns, elapsed_ns;  /* CLOCK_MONOTONIC */
	struct sum layers[LAYERS]; /* reads and writes */
	struct sum app_ops[CALL_OPS], vfs_ops[CALL_OPS];
	struct sum app_ring, vfs_sources[SRC_MAX]; /* have no T */
	struct disk_sum *disks;
	unsigned disks_n;
	struct group_sum *groups; /* groups with T, by path and id; NULL: not measured per group */
	unsigned groups_n;
	struct group_sum others;	  /* groups not listed; their parents include them, too */
	struct group_part *parts;	  /* memory of the parts of all groups; may be NULL */
	u64 app_device_ns, vfs_device_ns; /* joint spans */
	struct loss losses[32];		  /* ends with a NULL name */
	struct missed missed[MISSED_MAX]; /* of each loaded program */
	unsigned missed_n;
	char missed_text[256]; /* for people; see measurement_missed() */
	char *unmatched;       /* why no row is shown, by interval_select(); NULL: there are rows */
	struct notes notes;
	u64 app_programs; /* programs that loaded libiospan.so */
	u64 in_flight;	  /* device accesses in flight at the end */
};

void measurement_free(struct measurement *m); /* NULL is fine */

/* Returns the difference of two measurements of one tracer, @now minus @before, without groups. The
 * caller releases it with measurement_free(). */
struct measurement *measurement_since(const struct measurement *now,
				      const struct measurement *before);

/* Sets missed_text to a list of the programs that missed runs. Returns the number of these runs. */
u64 measurement_missed(struct measurement *m);

/* Adds the reads and writes of @d to d->all, and to @layer unless @d is stacked. */
void disk_add_up(struct disk_sum *d, struct sum *layer);

/* Returns the group's sum at @layer; NULL at the app layer, which has no groups. */
const struct sum *group_layer(const struct group_sum *g, enum layer layer);

/* Compares paths, as for qsort(3): each group stands right before those below it. */
int group_path_order(const char *a, const char *b);

/* Returns whether the group @path is below the group @above. */
bool group_is_below(const char *path, const char *above);

#endif
