// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts the busy disks of each interval, and keeps the counts of the last intervals: the window.
 * Writes the burstiness and the parallel I/O intensity in the window as metrics for Prometheus. */
#include "user/exporter/bursts.h"

#include <math.h>
#include <stdlib.h>

#include "user/base/need.h"
#include "user/exporter/disks.h"
#include "user/exporter/openmetrics.h"
#include "user/metric/burst.h"

enum { READS, WRITES, BOTH, WAYS };
static const char *const ways[WAYS] = { "op=\"read\"", "op=\"write\"", "op=\"both\"" };

struct burst_disk {
	/* bytes that the disk had moved up to the end of the last interval, counted from the start
	 * of the measurement */
	u128 bytes[WAYS];
	u32 idle_n; /* number of intervals since the disk was last busy */
};

struct bursts {
	struct bursts_limits limits;
	struct burst_disk *disks; /* by index in measurement.disks */
	u32 disks_room;
	/* number of disks that are servers (bursts.h) at the end of the last interval */
	u32 servers_n;
	/* ring of the last intervals; .servers: number of disks that moved more bytes than
	 * limits.threshold, for reads, for writes, and for both together */
	struct burst_interval {
		u32 servers[WAYS];
	} * ring;
	u32 room, n, next;
	u64 next_ns; /* end of the current interval */
};

bool bursts_fit(const struct bursts_limits *limits)
{
	u64 n = limits->window_ns / limits->interval_ns;

	return n && n <= BURSTS_MOST;
}

struct bursts *bursts_new(const struct bursts_limits *limits)
{
	struct bursts *b;

	if (!limits->window_ns)
		return NULL;
	b = need(calloc(1, sizeof(*b)));
	b->limits = *limits;
	b->room = limits->window_ns / limits->interval_ns;
	b->ring = need(calloc(b->room, sizeof(*b->ring)));
	b->next_ns = limits->interval_ns;
	return b;
}

void bursts_free(struct bursts *b)
{
	if (!b)
		return;
	free(b->disks);
	free(b->ring);
	free(b);
}

bool bursts_due(const struct bursts *b, u64 elapsed_ns)
{
	return b && elapsed_ns >= b->next_ns;
}

/* If disk @d has moved more bytes than b->limits.threshold since the last interval, adds 1 to
 * the number of busy disks in @to. Does this for reads, for writes, and for both together.
 * @before has the bytes up to the last interval. */
static void add_disk(const struct bursts *b, struct burst_interval *to, struct burst_disk *before,
		     const struct disk_sum *d)
{
	u128 reads = d->ops[OP_READ].row.bytes, writes = d->ops[OP_WRITE].row.bytes;
	const u128 now[WAYS] = { reads, writes, reads + writes };

	before->idle_n += before->idle_n < b->room;
	for (int k = 0; k < WAYS; k++) {
		bool busy = now[k] > before->bytes[k] + b->limits.threshold;

		to->servers[k] += busy;
		before->idle_n = busy ? 0 : before->idle_n;
		before->bytes[k] = now[k];
	}
}

void bursts_update(struct bursts *b, const struct measurement *m, const struct exported_disks *e)
{
	struct burst_interval *to;

	if (!bursts_due(b, m->elapsed_ns))
		return;
	to = &b->ring[b->next];
	*to = (struct burst_interval){};
	b->servers_n = 0;
	for (unsigned i = 0; i < m->disks_n; i++) {
		const struct disk_sum *d = &m->disks[i];

		if (!*d->name || d->stacked)
			continue;
		b->disks = need_index(b->disks, &b->disks_room, i, sizeof(*b->disks));
		add_disk(b, to, &b->disks[i], d);
		/* A disk that was busy in the window is counted even if it has ended. Otherwise, an
		 * interval might have more busy disks than there are disks. */
		b->servers_n += !e->all[i].ended || b->disks[i].idle_n < b->room;
	}
	b->next = (b->next + 1) % b->room;
	b->n += b->n < b->room;
	/* Intervals end at multiples of interval_ns. If this interval ended late, the next interval
	 * ends at the first multiple that is still in the future. */
	b->next_ns = m->elapsed_ns - m->elapsed_ns % b->limits.interval_ns + b->limits.interval_ns;
}

static struct burst window_of(const struct bursts *b, int way)
{
	u32 first = (b->next + b->room - b->n) % b->room;
	struct burst sums = {};

	for (u32 i = 0; i < b->n; i++)
		burst_add(&sums, b->ring[(first + i) % b->room].servers[way]);
	return sums;
}

static const struct family rho = {
	FAMILY_GAUGE, "iospan_burstiness_rho", NULL,
	"Burstiness of the disks together, over the window: 0 if there is I/O in every interval, 1 "
	"if there is none, near 1 for short bursts with long pauses."
};
static const struct family p = {
	FAMILY_GAUGE, "iospan_parallel_intensity", NULL,
	"P, the parallel I/O intensity of the disks over the window: 1 if all disks take part "
	"whenever there is I/O, 0 if one does. Missing with one disk or without I/O."
};
static const struct family window = {
	FAMILY_GAUGE, "iospan_burst_window_seconds", "seconds",
	"Time that iospan_burstiness_rho and iospan_parallel_intensity cover."
};

void put_bursts(struct openmetrics *o, const struct bursts *b)
{
	struct burst sums[WAYS];

	if (!b || !b->n)
		return;
	family_begin(o, &rho);
	for (int k = 0; k < WAYS; k++) {
		sums[k] = window_of(b, k);
		sample_ratio(o, ways[k], burst_rho(&sums[k]));
	}
	family_begin(o, &p);
	for (int k = 0; k < WAYS; k++) {
		double value = burst_p(&sums[k], b->servers_n);

		if (!isnan(value))
			sample_ratio(o, ways[k], value);
	}
	family_begin(o, &window);
	sample_seconds(o, "", "", b->n * b->limits.interval_ns);
}
