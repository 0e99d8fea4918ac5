// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes percentiles of the latencies in a histogram. The last bucket has no upper bound. */
#include <math.h>
#include "user/metric/hist.h"

#define LAST (HIST_BUCKETS - 1)

/* Returns the largest value that bucket @i can have, but at most @max_ns. Bucket @i must not be the
 * last bucket. */
static u64 bucket_last_ns(u32 i, u64 max_ns)
{
	u64 last = hist_floor_ns(i + 1) - 1;

	return max_ns < last ? max_ns : last;
}

/* Returns the latency at position @rank in the last bucket: 1 is the shortest, @count the longest.
 * Only the longest latency, @max_ns, is known. Returns @max_ns if @rank is @count. Also returns it
 * if it is at most 1/16 above the lower bound of the bucket, because the error is then small.
 * Otherwise, or if @max_ns is HIST_UNKNOWN_NS, returns NaN. */
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
	double rank, first, last, fraction;
	u32 i, bucket = 0;

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
	below -= hist[bucket];
	if (bucket == LAST)
		return open_bucket_ns(fmax(ceil(rank - below), 1), hist[LAST], max_ns);

	first = hist_floor_ns(bucket);
	last = bucket_last_ns(bucket, max_ns);
	fraction = fmin((rank - below) / hist[bucket], 1);
	return fmin(first + fraction * fmax(last - first, 0), max_ns);
}
