// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes percentiles of the latencies in a histogram. The last bucket has no upper bound. */
#include <math.h>
#include <stdbool.h>
#include "user/metric/hist.h"

#define LAST (HIST_BUCKETS - 1)

/* hist_add() and hist_take_away() skip octaves without accesses. This saves memory bandwidth, which
 * limits their speed if there are a thousand histograms. An octave is the HIST_SUB buckets from one
 * power of two to the next. */
_Static_assert(HIST_BUCKETS % HIST_SUB == 0, "whole octaves");

static bool has_some(const u64 *octave)
{
	u64 some = 0;

	for (int i = 0; i < HIST_SUB; i++)
		some |= octave[i];
	return some;
}

void hist_add(u64 to[HIST_BUCKETS], const u64 from[HIST_BUCKETS])
{
	for (const u64 *end = from + HIST_BUCKETS; from < end; from += HIST_SUB, to += HIST_SUB)
		if (has_some(from))
			for (int i = 0; i < HIST_SUB; i++)
				to[i] += from[i];
}

void hist_take_away(u64 from[HIST_BUCKETS], const u64 before[HIST_BUCKETS])
{
	for (const u64 *end = from + HIST_BUCKETS; from < end; from += HIST_SUB, before += HIST_SUB)
		if (has_some(before))
			for (int i = 0; i < HIST_SUB; i++)
				from[i] -= before[i];
}

/* Returns the longest latency that belongs to bucket @i, but at most @max_ns. Bucket @i must not be
 * the last bucket. */
static u64 bucket_last_ns(u32 i, u64 max_ns)
{
	u64 last = hist_floor_ns(i + 1) - 1;

	return max_ns < last ? max_ns : last;
}

/* Returns the latency with rank @rank among the @count latencies in the last bucket. Rank 1 is
 * the shortest latency. Only the longest is known: @max_ns. If @max_ns is at most 1/16 above the
 * lower bound of the bucket, returns @max_ns for every rank, because the error is small.
 * Otherwise returns @max_ns for rank @count, and NaN for a lower rank. If @max_ns is
 * HIST_UNKNOWN_NS, always returns NaN. */
static double open_bucket_ns(double rank, u64 count, u64 max_ns)
{
	u64 first = hist_floor_ns(LAST);

	if (max_ns == HIST_UNKNOWN_NS || (rank < count && max_ns > first + first / HIST_SUB))
		return NAN;
	return max_ns;
}

double hist_percentile_ns(const u64 hist[HIST_BUCKETS], double q, u64 max_ns)
{
	u64 total = 0, below = 0;
	double rank, first, last, fraction, nth;
	u32 i, bucket = 0;
	bool is_top;

	for (i = 0; i < HIST_BUCKETS; i++)
		total += hist[i];
	if (!total)
		return NAN;

	/* Finds the bucket in which the cumulative count reaches the rank. If no bucket reaches it
	 * because of rounding, uses the last bucket that is not empty. */
	rank = fmin(fmax(q, 0), 1) * total;
	for (i = 0; i < HIST_BUCKETS; i++) {
		if (!hist[i])
			continue;
		below += hist[i];
		bucket = i;
		if (below >= rank)
			break;
	}
	is_top = below == total;
	below -= hist[bucket];
	nth = fmax(ceil(rank - below), 1);
	if (bucket == LAST)
		return open_bucket_ns(nth, hist[LAST], max_ns);

	/* The top bucket ends at the longest latency, which is known exactly. So all percentiles of
	 * a single access are equal. */
	first = hist_floor_ns(bucket);
	last = bucket_last_ns(bucket, max_ns);
	fraction = is_top && nth >= hist[bucket] ? 1 : fmin((rank - below) / hist[bucket], 1);
	return fmin(first + fraction * fmax(last - first, 0), max_ns);
}
