/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cgroups of the exporter, called groups here. A group has series of its own, or it is folded.
 * The I/O of a folded group is only in the total of all folded groups. T is the time with at least
 * one read or write in flight. W is the time with at least one read, write or sync in flight at the
 * vfs layer. */
#ifndef IOSPAN_EXPORTER_GROUPS_H
#define IOSPAN_EXPORTER_GROUPS_H

#include "user/exporter/exporter.h"

/* The exported histograms have one bucket per power of two. The upper limits of the buckets are
 * from 2^11 ns (2 us) to 2^35 ns (34 s). */
#define BORDER_FIRST 11
#define BORDER_LAST 35
#define BORDERS (BORDER_LAST - BORDER_FIRST + 1)
/* number of series of a histogram: one per bucket, then +Inf, _count and _sum */
#define HISTOGRAM_SERIES (BORDERS + 1 + 2)

struct counts {
	u128 accesses, bytes, errors, latency_sum_ns, span_ns;
	/* for disks only. .queued: number of accesses that waited in the I/O scheduler.
	 * .queue_sum_ns: sum of their waiting times. */
	u128 queued, queue_sum_ns;
};

/* Counters and latency histogram of the reads and writes of one disk, or of one cgroup at one
 * layer. */
struct exported_sum {
	struct counts counts;
	u64 hist[BORDERS + 1];
};

struct exported_part {
	enum layer layer;
	unsigned disk;
	u32 op;
	struct counts counts;
};

/* T of a cgroup on one disk is the time in which it had reads or writes in flight. .alone_ns: the
 * part of T in which no other cgroup used the disk. .shared_ns: the rest of T. */
struct exported_share {
	unsigned disk;
	u64 alone_ns, shared_ns;
};

struct exported_group {
	u64 id, born_ns;
	char *path;
	char *labels;
	/* false: the names of the pod or container are not known yet, so .labels may still
	 * change */
	bool named;
	struct exported_sum layers[LAYERS]; /* indexed by enum layer; the app layer is unused */
	struct pressure pressure;	    /* pressure since the cgroup was made */
	struct exported_sum sync;	    /* syncs of the vfs layer, without T */
	u64 wait_ns; /* W (wait span) of the vfs layer; 0: the group has waited for nothing */
	struct exported_part *parts;
	unsigned parts_n;
	/* For each disk: how long the cgroup used it, alone and together with others. Empty if this
	 * is unknown for one of the disks. */
	struct exported_share *shares;
	unsigned shares_n;
	/* reads and writes that started while another cgroup used the same disk */
	struct exported_sum shared;
	bool present; /* true if the last measurement has the group */
	/* true: the group has no series; its I/O is added to exported_groups.folded */
	bool folded;
	bool removed;
	/* time of the first measurement without the group; 0: the last measurement has the group */
	u64 gone_ns;
	/* counters of reads and writes at the last update, by layer; count_since_last() subtracts
	 * them from the current counters to get the I/O since then */
	struct counts counted[LAYERS];
};

struct exported_groups {
	struct exported_group *all;
	size_t n;
	/* sum of the I/O that groups did while they were folded */
	struct counts folded[LAYERS];
	/* true: the vfs layer is no longer measured, so no group has series of this layer */
	bool vfs_ended;
	u64 folded_n; /* number of times that a group was folded while it was still measured */
};

void exported_sum_set(struct exported_sum *to, const struct sum *from);

/* index of a disk that has no series any more; see disks.h */
#define DISK_ENDED ~0U

/* Copies the counters of all groups in @m. Then applies @limits: folds groups, gives folded groups
 * their own series again, and frees groups of removed cgroups. Disk i of @m has the index
 * @disk_of[i] in the list of disks of the exporter, or DISK_ENDED. */
void exported_groups_update(struct exported_groups *g, const struct measurement *m,
			    const unsigned *disk_of, const struct exporter_limits *limits);
void exported_groups_release(struct exported_groups *g);

/* Returns true if the group has had accesses at @layer. */
bool exported_group_used(const struct exported_group *g, enum layer layer);

#endif
