// SPDX-License-Identifier: GPL-2.0-or-later
/* The slices of time of a report as JSON. A slice is one of the equal parts of the time, with sums
 * of the accesses of a layer. */
#include <string.h>

#include "tools/report/report.h"
#include "tools/report/report-show.h"

/* Keys of the metrics of a slice. Metrics that need a histogram of latencies are missing, because a
 * slice has no histogram. */
static const char *const columns[] = {
	"accesses", "bytes",	   "errors",	  "span_ns", "bps",
	"iops",	    KEY_BANDWIDTH, "concurrency", KEY_BUSY,  NULL,
};

u64 slices_count(const struct report_run *r)
{
	return r->slice_ns ? r->elapsed_ns / r->slice_ns + !!(r->elapsed_ns % r->slice_ns) : 0;
}

/* Returns the length of a slice in ns. The last slice ends with the observation. */
static u64 slice_length(const struct report_run *r, u32 slice)
{
	u64 left = r->elapsed_ns - slice * r->slice_ns;

	return left < r->slice_ns ? left : r->slice_ns;
}

static struct sum slice_sum(const struct report_run *r, int layer, u32 slice)
{
	const struct timeline *t = &r->slices[layer];
	struct sum sum = { .has_span = true, .elapsed_ns = slice_length(r, slice) };

	if (slice >= t->n)
		return sum;
	sum.row.accesses = sum.row.timed = t->slices[slice].accesses;
	sum.row.bytes = t->slices[slice].bytes;
	sum.row.errors = t->slices[slice].errors;
	sum.row.latency_ns = t->slices[slice].flight_ns;
	sum.span_ns = t->slices[slice].span_ns;
	return sum;
}

static struct out *slice_json(const struct report_run *r, int layer, u32 slice)
{
	struct sum sum = slice_sum(r, layer, slice);

	return r->backends[layer] ? sum_json_of(&sum, columns) : NULL;
}

void each_slice(const void *run, void (*add)(void *to, struct out *element), void *to)
{
	const struct report_run *r = run;
	u64 from = input_from_ns(&r->input) - r->input.begin_ns;

	for (u32 i = 0; i < slices_count(r); i++) {
		struct out *o = out_object(), *layers = out_object();

		out_u64(o, "from_ns", from + i * r->slice_ns);
		out_u64(o, "elapsed_ns", slice_length(r, i));
		for (int layer = 0; layer < LAYERS; layer++)
			out_put(layers, layer_names[layer], slice_json(r, layer, i));
		out_put(o, "layers", layers);
		add(to, o);
	}
}
