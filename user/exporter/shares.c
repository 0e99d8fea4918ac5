// SPDX-License-Identifier: GPL-2.0-or-later
/* The shares of exported cgroups, as series for Prometheus. A share is for a cgroup and a disk: the
 * time in which the cgroup used the disk alone, and the time in which it shared the disk. */
#include "user/exporter/shares.h"

#include <stddef.h>
#include <stdlib.h>

#include "user/base/need.h"

static void add_to_share(struct exported_group *g, const struct disk_share *from, unsigned disk)
{
	struct exported_share *s = g->shares, *end = g->shares + g->shares_n;

	while (s < end && s->disk != disk)
		s++;
	if (s == end) {
		*s = (struct exported_share){ .disk = disk };
		g->shares_n++;
	}
	s->alone_ns += from->span_ns - from->shared_ns;
	s->shared_ns += from->shared_ns;
}

void exported_shares_set(struct exported_group *g, const struct group_sum *from,
			 const unsigned *disk_of)
{
	struct disk_sharing all = group_sharing(from);

	if (from->shares_n > g->shares_n)
		g->shares = need(reallocarray(g->shares, from->shares_n, sizeof(*g->shares)));
	g->shares_n = 0;
	for (unsigned i = 0; all.is_known && i < from->shares_n; i++) {
		unsigned disk = disk_of[from->shares[i].disk];

		if (from->shares[i].is_known && disk != DISK_ENDED)
			add_to_share(g, &from->shares[i], disk);
	}
	exported_sum_set(&g->shared, &from->shared);
}

unsigned exported_shares_series(const struct exported_group *g)
{
	return g->shares_n ? 2 * g->shares_n + HISTOGRAM_SERIES : 0;
}

static const struct shared_time {
	struct family family;
	size_t ns; /* offset of the time in struct exported_share */
} times[] = {
	{ { FAMILY_COUNTER, "iospan_cgroup_alone_seconds", "seconds",
	    "Part of T of a cgroup on a disk in which no other cgroup used the disk. Missing if "
	    "several cgroups among it and those below it used the disk, or if a cgroup below it "
	    "was removed." },
	  offsetof(struct exported_share, alone_ns) },
	{ { FAMILY_COUNTER, "iospan_cgroup_shared_seconds", "seconds",
	    "Part of T of a cgroup on a disk in which another cgroup used the disk. Missing with "
	    "iospan_cgroup_alone_seconds_total." },
	  offsetof(struct exported_share, shared_ns) },
};

static const struct family histogram = {
	FAMILY_HISTOGRAM, "iospan_cgroup_shared_latency_seconds", "seconds",
	"Latencies of a cgroup's reads and writes that started while another cgroup used the disk. "
	"Missing with iospan_cgroup_alone_seconds_total."
};

static void put_time(struct openmetrics *o, const struct shared_time *t,
		     const struct exported_group *g, const char *const *devices)
{
	for (unsigned i = 0; i < g->shares_n; i++)
		sample_seconds(o, g->labels, devices[g->shares[i].disk],
			       *(const u64 *)((const char *)&g->shares[i] + t->ns));
}

void put_shares(struct openmetrics *o, const struct exported_groups *groups,
		const char *const *devices)
{
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		family_begin(o, &times[i].family);
		for (size_t n = 0; n < groups->n; n++)
			if (!groups->all[n].folded)
				put_time(o, &times[i], &groups->all[n], devices);
	}
	family_begin(o, &histogram);
	for (size_t n = 0; n < groups->n; n++) {
		const struct exported_group *g = &groups->all[n];

		if (!g->folded && g->shares_n)
			sample_histogram(o, g->labels, &g->shared);
	}
}
