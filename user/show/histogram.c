// SPDX-License-Identifier: GPL-2.0-or-later
/* Histograms of latencies as JSON, with the buckets in use, and as tables, with a row per octave.
 * An octave is the latencies from one power of two to the next. */
#include "user/show/histogram.h"
#include "user/base/out-read.h"

#define OCTAVES (HIST_MAX_LOG2 + 1) /* number of octaves; the first is from 0 to 2 ns */

/* ---- JSON ---- */

/* latency_to_ns is null for the last bucket, because the bucket has no upper bound. */
static struct out *bucket_json(u64 from_ns, u64 to_ns, bool is_last, u64 accesses)
{
	struct out *o = out_object();

	out_u64(o, "latency_from_ns", from_ns);
	if (is_last)
		out_null(o, "latency_to_ns");
	else
		out_u64(o, "latency_to_ns", to_ns);
	out_u64(o, "accesses", accesses);
	return o;
}

struct out *histogram_json(const u64 hist[HIST_BUCKETS])
{
	struct out *list = out_array();

	for (u32 i = 0; i < HIST_BUCKETS; i++)
		if (hist[i])
			out_append(list,
				   bucket_json(hist_floor_ns(i),
					       i + 1 < HIST_BUCKETS ? hist_floor_ns(i + 1) : 0,
					       i + 1 == HIST_BUCKETS, hist[i]));
	return list;
}

/* ---- rows ---- */

struct octaves {
	u64 accesses[OCTAVES];
	u64 most; /* number of accesses in the octave with the most accesses */
	int first, last;
};

static void add_bucket(void *octaves, const char *key, const struct out *bucket)
{
	struct octaves *to = octaves;
	u64 from = 0, accesses = 0;
	int at;

	out_get_u64(bucket, "latency_from_ns", &from);
	out_get_u64(bucket, "accesses", &accesses);
	at = from ? hist_log2(from) : 0;
	to->accesses[at] += accesses;
	if (to->accesses[at] > to->most)
		to->most = to->accesses[at];
	to->first = at < to->first ? at : to->first;
	to->last = at > to->last ? at : to->last;
}

static struct out *octaves_json(const struct out *buckets)
{
	struct octaves o = { .first = OCTAVES, .last = -1 };
	struct out *list = out_array();

	out_each(buckets, add_bucket, &o);
	for (int i = o.first; i <= o.last; i++) {
		struct out *row =
			bucket_json(i ? 1ULL << i : 0, 2ULL << i, i + 1 == OCTAVES, o.accesses[i]);

		out_f64(row, "of_most", (double)o.accesses[i] / o.most);
		out_append(list, row);
	}
	return list;
}

const struct view histogram_rows[] = {
	{ .path = KEY_HISTOGRAM,
	  .make = octaves_json,
	  .columns =
		  (const struct view_column[]){
			  COLUMN_OF("latency_from_ns", "latency from", VIEW_TIME),
			  COLUMN("latency_to_ns", .title = "to", .none = "more"),
			  COLUMN("accesses"),
			  COLUMN_OF("of_most", "", VIEW_BAR),
			  {},
		  } },
	{},
};
