/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cgroups of an exporter. */
#ifndef IOSPAN_EXPORTER_GROUPS_H
#define IOSPAN_EXPORTER_GROUPS_H

#include "user/exporter/exporter.h"

/* Histograms have a bucket per octave of bpf/buckets.h: their upper limits are 2^11 ns (2 us) to
 * 2^35 ns (34 s). */
#define BORDER_FIRST 11
#define BORDER_LAST 35
#define BORDERS (BORDER_LAST - BORDER_FIRST + 1)

struct counts {
	u128 accesses, bytes, errors, latency_sum_ns, span_ns;
};

/* Of reads and writes. */
struct exported_sum {
	struct counts counts;
	u64 hist[BORDERS + 1];
};

struct exported_part {
	enum layer layer;
	unsigned disk; /* index in the measurement; device layer only */
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
	bool present;		       /* the last measurement has it */
	bool folded;		       /* counted only in the totals, for the rest of its life */
	bool removed;		       /* the cgroup no longer exists */
	u64 gone_ns;		       /* time since which no measurement has it; 0: present */
	struct counts counted[LAYERS]; /* counts at the last update */
};

struct exported_groups {
	struct exported_group *all; /* ordered by id */
	size_t n;
	struct counts folded[LAYERS]; /* I/O of groups after they were folded */
	u64 folded_n;		      /* groups that were ever folded */
};

void exported_sum_set(struct exported_sum *to, const struct sum *from);

/* Takes the groups of @m, then folds and drops groups by @limits. @disk_of[i] is the disk that is
 * shown for disk i of @m. */
void exported_groups_update(struct exported_groups *g, const struct measurement *m,
			    const unsigned *disk_of, const struct exporter_limits *limits);
void exported_groups_release(struct exported_groups *g);

/* Whether the group had accesses at @layer. */
bool exported_group_used(const struct exported_group *g, enum layer layer);

#endif
