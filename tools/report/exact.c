// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds exact percentiles of latencies in several passes over the accesses. A search narrows the
 * range of one percentile, which is the latency with a known rank. Each pass counts the latencies
 * in equal steps of the range. The step that contains the rank is the range of the next pass. */
#include "tools/report/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"

#define FINE_BITS 10
#define FINE (1 << FINE_BITS)

/* Search for the latency with the rank .rank; the shortest latency has rank 1. That latency is at
 * least .first and at most .last, in ns. This range is divided into steps of 1 << shift ns. */
struct search {
	u64 rank;
	u64 below; /* number of latencies below .first */
	u64 first, last;
	unsigned shift;
	u64 fine[FINE]; /* number of latencies in each step */
};

struct exact {
	struct search search[EXACT_MAX];
	double value[EXACT_MAX]; /* percentiles; NaN: not yet known, or no access has a latency */
	bool empty;
};

/* The percentiles in permille; the median is 500. A new percentile needs a value of enum
 * exact_percentile, a function and row in user/metric/metric.c, a value here, and a line in
 * Documentation/metrics.rst. */
static const u64 permille[EXACT_MAX] = {
	[EXACT_P50] = 500, [EXACT_P90] = 900,  [EXACT_P95] = 950,
	[EXACT_P99] = 990, [EXACT_P999] = 999,
};

static void set_range(struct search *s, u64 first, u64 last)
{
	s->first = first;
	s->last = last;
	s->shift = 0;
	while ((last - first) >> s->shift >= FINE)
		s->shift++;
	memset(s->fine, 0, sizeof(s->fine));
}

static void find_bucket(struct search *s, const struct row *row, enum exact_percentile p)
{
	u64 n = 0;
	u32 i;

	for (i = 0; i < HIST_BUCKETS; i++)
		n += row->hist[i];
	s->rank = (n * permille[p] + 999) / 1000;
	for (i = 0; i < HIST_BUCKETS - 1 && s->below + row->hist[i] < s->rank; i++)
		s->below += row->hist[i];
	set_range(s, hist_floor_ns(i),
		  i == HIST_BUCKETS - 1 ? row->max_ns : hist_floor_ns(i + 1) - 1);
}

struct exact *exact_new(const struct sum *sum)
{
	struct exact *e = need(calloc(1, sizeof(*e)));

	e->empty = !sum->row.timed;
	for (int i = 0; i < EXACT_MAX; i++) {
		e->value[i] = NAN;
		if (!e->empty)
			find_bucket(&e->search[i], &sum->row, i);
	}
	return e;
}

void exact_free(struct exact *e)
{
	free(e);
}

void exact_add(struct exact *e, u64 ns)
{
	for (int i = 0; i < EXACT_MAX; i++) {
		struct search *s = &e->search[i];

		if (ns >= s->first && ns <= s->last)
			s->fine[(ns - s->first) >> s->shift]++;
	}
}

/* Narrows the range to the step that contains the rank. If that step is 1 ns wide, stores the
 * latency with this rank in *@value and returns false. */
static bool narrow_range(struct search *s, double *value)
{
	u64 first, last;
	u32 i;

	for (i = 0; i < FINE - 1 && s->below + s->fine[i] < s->rank; i++)
		s->below += s->fine[i];
	first = s->first + ((u64)i << s->shift);
	if (s->shift == 0) {
		*value = first;
		return false;
	}
	/* If the step ends above 2^64, first + (1 << shift) would overflow. So the end of the range
	 * is used instead. */
	last = s->last - first < (1ULL << s->shift) ? s->last : first + (1ULL << s->shift) - 1;
	set_range(s, first, last);
	return true;
}

bool exact_narrow(struct exact *e)
{
	bool more = false;

	for (int i = 0; !e->empty && i < EXACT_MAX; i++)
		if (isnan(e->value[i]))
			more |= narrow_range(&e->search[i], &e->value[i]);
	return more;
}

const double *exact_result(const struct exact *e)
{
	return e ? e->value : NULL;
}
