/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The groups that an exporter shows: a part of it. */
#ifndef IOSPAN_EXPORTER_GROUPS_H
#define IOSPAN_EXPORTER_GROUPS_H

#include "user/exporter/exporter.h"

/* A bucket ends at each power of two of a ns, the end of an octave of bpf/buckets.h, from 2 us
 * to 34 s. */
#define BORDER_FIRST 11
#define BORDER_LAST 35
#define BORDERS (BORDER_LAST - BORDER_FIRST + 1)

struct counts {
	u128 accesses, bytes, errors, response_ns, span_ns;
};

/* Reads and writes. */
struct exported_sum {
	struct counts counts;
	u64 hist[BORDERS + 1];
};

struct exported_part {
	enum layer layer;
	unsigned disk; /* as the measurement numbers them; device layer only */
	u32 op;
	struct counts counts;
};

struct exported_group {
	u64 id, born_ns;
	char *path;
	char *labels;
	struct exported_sum layers[LAYERS]; /* vfs and device */
	struct exported_part *parts;
	unsigned parts_n;
	bool present;		       /* in the measurement that is taken over */
	bool folded;		       /* for as long as it lives */
	bool removed;		       /* the cgroup no longer exists */
	u64 gone_ns;		       /* since when it is no more; 0: it is there */
	struct counts counted[LAYERS]; /* of that, what has been shown or folded */
};

struct exported_groups {
	struct exported_group *all; /* by id */
	size_t n;
	struct counts folded[LAYERS]; /* what groups did once they were folded */
	u64 folded_n;		      /* how many have been */
};

void exported_take(struct exported_sum *to, const struct sum *from);

/* @disk_of[i]: which disk the i-th is shown as. */
void exported_groups_update(struct exported_groups *g, const struct measurement *m,
			    const unsigned *disk_of, const struct exporter_limits *limits);
void exported_groups_release(struct exported_groups *g);

/* The group had accesses at that layer. */
bool exported_group_used(const struct exported_group *g, enum layer layer);

#endif
