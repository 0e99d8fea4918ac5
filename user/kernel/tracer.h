/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel programs: loaded, attached, read. Only tracer.c and
 * its parts, tracer-*.c, see their skeleton. */
#ifndef IOSPAN_TRACER_USER_H
#define IOSPAN_TRACER_USER_H

#include "user/host/cgroup.h"
#include "user/metric/metric.h"
#include "bpf/abi.h"

extern const char *const layer_names[LAYERS + 1];

#define MAX_GROUPS 1000000U /* some 10 GB */

struct tracer_options {
	unsigned layers;       /* bit per LAYER_ */
	struct cgroup target;  /* v2: whose accesses count */
	struct cgroup charged; /* BY_BLKCG: whose I/O counts; else unused */
	enum attribution attribution;
	bool fentry;	   /* system calls by fentry, else by tracepoints */
	bool faults;	   /* page faults, which takes fentry */
	bool per_cgroup;   /* groups below the target on their own, at the
					 * device and the vfs layer, */
	u32 max_groups;	   /* at most so many, the target included */
	bool per_part;	   /* and what they do by layer, disk and operation; */
	bool per_process;  /* processes instead, BY_TASK, which are below nobody; */
	bool retire;	   /* those that were removed, or ended, go, after some reads, and
					 * max_groups is how many there may be at once */
	const char *disks; /* only these: a name, a number, a pattern; NULL: all */
	u64 record_bytes;  /* of memory for tracer_record(); 0: it is not used */
};

struct tracer;

/* Loads and attaches. Errors are printed. */
int tracer_new(const struct tracer_options *o, struct tracer **t);
void tracer_free(struct tracer *t); /* detaches; NULL is fine */

/* Descriptor of the app area, for the measured programs to inherit. */
int tracer_app_fd(const struct tracer *t);

/* Every access from now on that @filter wants also goes to @w; both must outlive the tracer.
 * With record_bytes only; -errno, printed. */
struct trace_writer;
struct trace_filter;
int tracer_record(struct tracer *t, struct trace_writer *w, const struct trace_filter *filter);

/* To be called every TRACER_POLL_NS, or RECORDER_POLL_NS: repairs what was lost, and reads the
 * spans before their words come round. */
#define TRACER_POLL_NS 50000000ULL
void tracer_poll(struct tracer *t);

/* ---- what was measured ---- */

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
					 * maps_group_path() tells it */
	u64 born_ns;		  /* CLOCK_MONOTONIC: when it was first seen; 0: at once */
	bool removed;		  /* no longer exists; what it left may still do I/O */
	struct sum device;	  /* reads and writes, bottom disks */
	struct sum vfs;		  /* reads and writes */
	struct group_part *parts; /* those that did something, by layer, disk, operation */
	unsigned parts_n;
};

/* NULL at the app layer, which has no groups. */
const struct sum *group_layer(const struct group_sum *g, enum layer layer);

/* Their order in a measurement is that of their paths, each right before those below it. */
int group_path_order(const char *a, const char *b);

/* Is @path that of a group in @above? */
bool group_is_below(const char *path, const char *above);

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

/* Reads all of it, while the groups still exist; the elapsed time began at
 * @start_ns (CLOCK_MONOTONIC). The kernel programs stay attached. */
int tracer_measure(struct tracer *t, u64 start_ns, struct measurement **m);

/* The same before a load that is measured alone, by what the next measurement has more: waits,
 * 0.2 s at most, until nothing is in flight, be it because it was lost and is repaired. */
int tracer_measure_before(struct tracer *t, struct measurement **m);

/* The same in the middle: what is in flight stays so, and its T so far is in. */
int tracer_read(struct tracer *t, u64 start_ns, struct measurement **m);
/* And the same, but its groups are only those that have done something since the last time, with
 * that alone: most of many have not, and to add up all that they ever did takes its time. */
int tracer_cut(struct tracer *t, u64 start_ns, struct measurement **m);
/* Puts the programs of @m that missed runs into words; returns how many runs. */
u64 losses_missed(struct measurement *m);
void measurement_free(struct measurement *m);

/* Adds reads and writes up to all of @d, and to those of the layer unless it is stacked. */
void disk_add_up(struct disk_sum *d, struct sum *layer);

/* Names of operations, for reports: enum op, enum vfs_op, enum source. */
extern const char *const op_names[OP_MAX + 1];
extern const char *const vfs_op_names[CALL_OPS];
extern const char *const source_names[SRC_MAX];

#endif
