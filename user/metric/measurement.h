/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a measurement: sums per layer, disk, operation and group. A group is a cgroup or,
 * if the measurement is per process, a process. Times are in ns. T is the time with at least one
 * access in flight. W is the time with at least one read, write, sync or device flush in flight. A
 * part is the sum of a group for one layer, disk and operation. A share is the time for which a
 * group used one disk. */
#ifndef IOSPAN_METRIC_MEASUREMENT_H
#define IOSPAN_METRIC_MEASUREMENT_H

#include "bpf/abi.h"
#include "user/metric/loss.h"
#include "user/metric/metric.h"

extern const char *const layer_names[LAYERS + 1];

/* in all tables, the name of the row for reads and writes together */
#define READ_WRITE "read+write"

/* Names for reports, by enum op, enum vfs_op and enum source. */
extern const char *const op_names[OP_MAX + 1];
extern const char *const vfs_op_names[CALL_OPS];
extern const char *const source_names[SRC_MAX];

/* Times in ns for which tasks of a cgroup, or of the machine, waited, as the kernel measures them.
 * Tasks wait for I/O (PSI), or because of dirty throttling: the kernel pauses a task that writes
 * faster than the disks. */
struct pressure {
	/* .some_ns: time in which at least one task waited for I/O. .full_ns: time in which at
	 * least one task waited for I/O, and no task ran. */
	u64 some_ns, full_ns;
	u64 dirty_ns;	/* time in which at least one task is paused by dirty throttling */
	bool has_psi;	/* false: the two times from PSI are not known */
	bool has_dirty; /* false: .dirty_ns is not known */
};

#define KEY_PRESSURE "pressure"
#define KEY_PSI_SOME "psi_some_ns"
#define KEY_PSI_FULL "psi_full_ns"
#define KEY_DIRTY "dirty_throttled_ns"

/* Returns @now minus @before, an earlier state of the same pressure. A time of the result is
 * unknown if it is unknown in @now or @before. It is also unknown if it is smaller in @now than in
 * @before. */
struct pressure pressure_since(const struct pressure *now, const struct pressure *before);

/* Returns true if at least one time of @p is known and not 0. */
bool pressure_is_some(const struct pressure *p);

/* Adds an object with the times of @p to the JSON object @o, at the key KEY_PRESSURE. Unknown times
 * are null. */
void pressure_json(struct out *o, const struct pressure *p);

struct disk_sum {
	char name[DISK_NAME];
	/* .disk: number that identifies the disk: its index in the array that the tracer made. .dev
	 * does not identify it, because the kernel reuses device numbers. */
	u32 dev, disk;
	bool stacked;
	u64 diskseq;	/* sequence number of the disk at its last access, as in /sys/block */
	struct sum all; /* reads and writes of the disk together */
	u64 shared_ns;	/* time in which several groups used the disk */
	struct sum ops[DEVICE_OPS]; /* accesses of the disk, by enum op */
};

/* Counters of one group (a cgroup or process) for one operation, either at the vfs layer or on one
 * disk. */
struct group_part {
	enum layer layer;
	u32 dev, disk; /* as in struct disk_sum; 0 at the vfs layer */
	u32 op;	       /* enum vfs_op at the vfs layer, else enum op */
	bool stacked;  /* true: a stacked disk, such as dm or md */
	u128 bytes, latency_ns;
	u64 accesses, errors, span_ns;
};

/* Time for which a group used one disk, that is, had a read or write in flight on it. If two
 * cgroups of the group's subtree used the disk, their times may overlap. So the times of the group
 * are unknown (.is_known is false). They are also unknown if the counters of the group include a
 * removed cgroup. */
struct disk_share {
	u32 dev, disk; /* as in struct disk_sum */
	bool is_known;
	/* true: a stacked disk, such as dm or md; T of the group does not include its I/O */
	bool stacked;
	u64 span_ns, shared_ns;
};

/* Counters of a group (a cgroup or process). They include its child groups. */
struct group_sum {
	u64 id;
	/* Path of a cgroup, such as "/a/b", or name of a process, such as "fio[1234]". "/" is the
	 * command's cgroup. NULL: the struct is the total of all cgroups without counters of their
	 * own. */
	char *path;
	/* time at which iospan first saw the group (CLOCK_MONOTONIC); 0: at the start of the
	 * measurement */
	u64 born_ns;
	/* true: the cgroup or process no longer exists; its dirty pages may still cause I/O */
	bool removed;
	struct sum device; /* device layer: reads and writes on disks that are not stacked */
	/* accesses of the device layer that started while another group had a read or write in
	 * flight on the disk; without stacked disks; T is not measured */
	struct sum shared;
	/* vfs layer: reads and writes; W of this sum also includes the time of syncs */
	struct sum vfs;
	struct sum sync; /* vfs layer: syncs; T is not measured */
	struct pressure pressure;
	/* counters by layer, disk and operation, in this order; elements without accesses are
	 * left out */
	struct group_part *parts;
	unsigned parts_n;
	/* the disks on which the group had reads or writes, ordered by device number */
	struct disk_share *shares;
	unsigned shares_n;
	/* If tracer_select() selected this group: its T on each disk, added up over the disks. For
	 * any other group: the time that it shared with the selected group, added up over the
	 * disks. Two groups share the time in which both have reads or writes in flight on the same
	 * disk. Stacked disks and child groups are left out. */
	u64 joint_ns;
};

#define PROGRAMS_MAX 96
struct program_runs {
	char program[24]; /* name of a BPF program */
	/* the layer that the program measures; LAYERS: it serves all layers, for instance it
	 * follows cgroups */
	enum layer layer;
	/* runs that the kernel skipped, because the program was already running on the same CPU */
	u64 missed;
	/* .runs: number of runs. .run_ns: time of all runs. The kernel counts both only while BPF
	 * statistics are on. */
	u64 runs, run_ns;
};

struct measurement {
	u64 begin_ns, elapsed_ns;  /* .begin_ns: start (CLOCK_MONOTONIC). .elapsed_ns: duration. */
	struct sum layers[LAYERS]; /* reads and writes of each layer */
	struct sum app_ops[CALL_OPS], vfs_ops[CALL_OPS];
	/* T of these sums is not measured. .app_ring: io_uring and libaio requests at the app
	 * layer. .vfs_sources: accesses of the vfs layer by their source (enum source). */
	struct sum app_ring, vfs_sources[SRC_MAX];
	struct disk_sum *disks;
	unsigned disks_n;
	/* groups that have accesses (completed or in flight), ordered by path and id; NULL: the
	 * measurement is not per group */
	struct group_sum *groups;
	unsigned groups_n;
	/* Sum of the cgroups that have no counters of their own, for instance because the BPF maps
	 * are full. They are not in .groups, but the sums of their parents in .groups include their
	 * accesses. */
	struct group_sum others;
	/* two arrays with the parts and shares of all groups; .parts and .shares of each group
	 * point into them */
	struct group_part *parts;
	struct disk_share *shares;
	/* .app_device_ns: time in which the app layer, the device layer or both had a read, write,
	 * sync or device flush in flight. .vfs_device_ns: the same time for the vfs layer and the
	 * device layer. */
	u64 app_device_ns, vfs_device_ns;
	struct pressure pressure; /* pressure of the machine; .dirty_ns of it is not known */
	struct loss losses[33];	  /* the last entry has a name of NULL */
	struct program_runs programs[PROGRAMS_MAX]; /* all loaded BPF programs */
	unsigned programs_n;
	bool bpf_stats; /* true: the kernel counted the runs of the BPF programs, and their time */
	/* text that explains why the user's filter has removed all rows; NULL: there are rows */
	char *unmatched;
	struct notes notes;
	u64 app_programs; /* number of executed programs that loaded libiospan.so */
	u64 in_flight;	  /* number of device accesses in flight at the end */
};

void measurement_free(struct measurement *m);

/* Returns the difference of two measurements that the same tracer made: @now minus the earlier
 * @before. The difference has no groups. The caller frees it by measurement_free(). */
struct measurement *measurement_since(const struct measurement *now,
				      const struct measurement *before);

/* Returns how often the kernel skipped a run of a BPF program. */
u64 measurement_missed(const struct measurement *m);

/* Adds the reads and writes of disk @d to d->all. If the disk is not stacked, also adds them to
 * @layer, the sum of the device layer. */
void disk_add_up(struct disk_sum *d, struct sum *layer);

/* Returns a pointer to the field of @g that has the sum of @layer. Returns NULL for the app layer,
 * which has no groups. */
const struct sum *group_layer(const struct group_sum *g, enum layer layer);

/* Returns true if @g has had accesses or has some in flight. */
bool group_is_used(const struct group_sum *g);

/* Returns the field of @g for one set of its accesses. SET_SHARED gives .shared: the reads and
 * writes of the device layer that started while another group used the disk. SET_ALONE gives
 * .device: all reads and writes of the device layer. */
static inline struct sum *group_set(struct group_sum *g, enum group_set set)
{
	struct sum *sums[] = { &g->device, &g->shared, &g->vfs, &g->sync };

	return sums[set];
}

/* Compares the paths of two groups for qsort(3). In this order, each group is directly before its
 * child groups. */
int group_path_order(const char *a, const char *b);

bool group_is_below(const char *path, const char *above);

/* ---- sharing of disks ----
 *
 * A group uses a disk while it has a read or write in flight on the disk. It shares the disk while
 * another measured group uses the disk as well. Otherwise, it is alone on the disk. */

#define KEY_SHARING "sharing"
#define KEY_SHARED_FRACTION "shared_fraction"
#define KEY_SLOWDOWN "slowdown_ratio"

struct disk_sharing {
	/* False: the times are unknown, and the other fields are 0. The reasons are:
	 *
	 * - The group used only stacked disks such as dm, or no disk.
	 * - Two cgroups of the group's subtree used the same disk, so their times may overlap.
	 * - The sums include a removed cgroup of the subtree. */
	bool is_known;
	/* Sums in ns over all disks that are not stacked. .span_ns: time in which the group used
	 * the disk. .shared_ns: the part of .span_ns in which another group used the disk as
	 * well. */
	u64 span_ns, shared_ns;
};

struct disk_sharing group_sharing(const struct group_sum *g);

/* Sets *@alone to the reads and writes of @g that started while no other group used the disk. Sets
 * *@shared to those that started while another group used the disk as well. @s is the result of
 * group_sharing() for @g, with s->is_known true. */
void sharing_sums(const struct group_sum *g, const struct disk_sharing *s, struct sum *alone,
		  struct sum *shared);

/* Returns the fraction of the group's time on disks in which another group used the same disk as
 * well. The fraction is from 0 to 1; NaN: it is unknown. */
double group_shared_fraction(const struct group_sum *g);

/* Returns the slowdown by other groups, a ratio of two mean latencies. The numerator is the mean of
 * the group's accesses that started while another group used the disk. The denominator is the mean
 * of its other accesses. Returns NaN if the times of the group are unknown, or if there are no
 * accesses of one kind.
 *
 * Only the start of an access decides to which mean it belongs. A long access often overlaps the
 * time of another group, so a test for overlap would select too many long accesses. */
double group_slowdown(const struct group_sum *g);

#endif
