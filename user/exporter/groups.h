/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cgroups that the exporter shows or has folded. */
#ifndef IOSPAN_EXPORTER_GROUPS_H
#define IOSPAN_EXPORTER_GROUPS_H

#include "user/exporter/exporter.h"

/* The exported histograms have one bucket for each power of two. The upper limits of the buckets
 * are from 2^11 ns (2 us) to 2^35 ns (34 s). The measurement has finer buckets; see
 * bpf/buckets.h. */
#define BORDER_FIRST 11
#define BORDER_LAST 35
#define BORDERS (BORDER_LAST - BORDER_FIRST + 1)

struct counts {
	u128 accesses, bytes, errors, latency_sum_ns, span_ns;
};

/* Counters and latency histogram of the reads and writes of a disk, or of a cgroup at one layer. */
struct exported_sum {
	struct counts counts;
	u64 hist[BORDERS + 1];
};

struct exported_part {
	enum layer layer;
	unsigned disk; /* index of the disk in the measurement; only at the device layer */
	u32 op;
	struct counts counts;
};

struct exported_group {
	u64 id, born_ns;
	char *path;
	char *labels;
	struct exported_sum layers[LAYERS]; /* only vfs and device are set */
	struct exported_part *parts;
	unsigned parts_n;
	bool present; /* true if the last measurement has the group */
	/* true if the I/O of the group is only in the totals of folded groups; stays true */
	bool folded;
	bool removed; /* true if the cgroup was removed */
	/* time of the first measurement without the group; 0: the last one has it */
	u64 gone_ns;
	struct counts counted[LAYERS]; /* reads and writes up to the last update */
};

struct exported_groups {
	struct exported_group *all; /* sorted by id */
	size_t n;
	/* total I/O of all groups, each from the time it was folded */
	struct counts folded[LAYERS];
	u64 folded_n; /* number of groups folded so far */
};

void exported_sum_set(struct exported_sum *to, const struct sum *from);

/* Takes the numbers of all groups in @m. Then folds and frees groups according to @limits.
 * @disk_of[i] is the index of the disk that is shown for disk i of @m. */
void exported_groups_update(struct exported_groups *g, const struct measurement *m,
			    const unsigned *disk_of, const struct exporter_limits *limits);
void exported_groups_release(struct exported_groups *g);

/* Returns true if the group has had accesses at @layer. */
bool exported_group_used(const struct exported_group *g, enum layer layer);

#endif
