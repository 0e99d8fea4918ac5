// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/job/forecast-show.h"

#include <math.h>

#include "bench/model/predict-show.h"
#include "tools/report/evidence.h"
#include "user/base/num.h"
#include "user/base/out-read.h"
#include "user/base/out.h"

static struct out *totals_json(const struct forecast *f)
{
	struct out *o = out_object();

	out_put(o, "span_ns", estimate_json(&f->span_ns));
	out_put(o, "wait_ns", estimate_json(&f->wait_ns));
	out_put(o, "elapsed_ns", estimate_json(&f->elapsed_ns));
	out_put(o, "bps", estimate_json(&f->bps));
	out_put(o, "bytes_per_second", estimate_json(&f->bandwidth));
	return o;
}

static bool is_outside(const struct forecast_part *p)
{
	return p->here.outside || p->here.unknown;
}

static struct out *part_json(const struct forecast *f, const struct forecast_part *p)
{
	struct out *o = out_object(), *outside = out_array();

	out_u64(o, "behaviour_number", p - f->parts + 1);
	out_u64(o, "stretch_count", p->behaviour->stretches);
	out_u64(o, "accesses", p->behaviour->model.n);
	out_put(o, "workload", workload_json(&p->here.at));
	out_f64(o, "recorded_span_ns", p->recorded_ns);
	out_put(o, "span_ns", estimate_json(&p->span_ns));
	for (enum parameter i = 0; i < PARAMETERS; i++)
		if ((p->here.outside | p->here.unknown) >> i & 1)
			out_append_str(outside, parameters[i].key);
	out_put(o, "outside", outside);
	out_bool(o, "is_outside", is_outside(p));
	out_bool(o, "at_border", p->here.border != NULL);
	return o;
}

static struct out *disk_json(const struct forecast *f, const struct forecast *recorded)
{
	struct out *o = out_object(), *parts = out_array();

	out_str(o, "result", f->m->path);
	out_str(o, "result_hash", out_get_str(f->m->doc, "hash"));
	out_share(o, "targets", out_get(f->m->doc, "targets"));
	out_put(o, "predicted", totals_json(f));
	out_f64(o, "span_ratio", f->span_ns.value / recorded->span_ns.value);
	out_str(o, "method", method_words[f->m->method]);
	for (unsigned i = 0; i < f->n; i++)
		out_append(parts, part_json(f, &f->parts[i]));
	out_put(o, "behaviours", parts);
	return o;
}

static const struct forecast *fastest(const struct forecast *f, unsigned n)
{
	const struct forecast *best = f;

	for (unsigned i = 1; i < n; i++)
		if (f[i].span_ns.value < best->span_ns.value)
			best = &f[i];
	return best;
}

/* Returns the fastest disk but @best. */
static const struct forecast *second(const struct forecast *f, unsigned n,
				     const struct forecast *best)
{
	const struct forecast *next = NULL;

	for (unsigned i = 0; i < n; i++)
		if (&f[i] != best && (!next || f[i].span_ns.value < next->span_ns.value))
			next = &f[i];
	return next;
}

static void conclude_one(struct out *doc, const struct forecast *f, const struct forecast *recorded)
{
	char value[NUM_TEXT], low[NUM_TEXT], high[NUM_TEXT], was[NUM_TEXT];

	num_time_text(value, f->span_ns.value);
	num_time_text(was, recorded->span_ns.value);
	if (isnan(f->span_ns.low))
		out_strf(doc, "conclusion",
			 "predicted T is %s, with an unknown error; the recording has %s", value,
			 was);
	else
		out_strf(doc, "conclusion",
			 "predicted T is %s, expected from %s to %s; the recording has %s", value,
			 num_time_text(low, f->span_ns.low), num_time_text(high, f->span_ns.high),
			 was);
}

static void conclude(struct out *doc, const struct forecast *f, unsigned n,
		     const struct forecast *recorded)
{
	const struct forecast *best = fastest(f, n), *next = second(f, n, best);
	bool known, apart;

	if (!next) {
		conclude_one(doc, f, recorded);
		return;
	}
	known = !isnan(best->span_ns.high) && !isnan(next->span_ns.low);
	apart = best->span_ns.high < next->span_ns.low;
	out_strf(doc, "conclusion",
		 "'%s' is predicted to be the fastest: T on '%s', the next one, is %.2f times as "
		 "long; %s",
		 best->m->path, next->m->path, next->span_ns.value / best->span_ns.value,
		 !known	       ? "the errors are unknown" :
			 apart ? "the expected ranges do not overlap" :
				 "the expected ranges overlap");
}

static void put_notes(struct out *doc, const struct forecast *f, unsigned n, enum layer layer)
{
	struct out *notes = out_list(doc, "notes");

	for (unsigned i = 0; i < n; i++) {
		if (f[i].by_bandwidth)
			out_append_strf(notes,
					"'%s' has no BPS of layer %s, so its bandwidth is used",
					f[i].m->path, layer_names[layer]);
		if (!f[i].m->complete)
			out_append_strf(notes, "the benchmark of '%s' is incomplete", f[i].m->path);
	}
	if (layer != LAYER_DEVICE)
		out_append_str(notes,
			       "the page cache is assumed to hold the data as in the benchmark; "
			       "results of 'bench scale --direct' predict the device layer");
}

struct out *forecast_document(const struct job *j, enum layer layer, const struct forecast *f,
			      unsigned n)
{
	struct out *doc = out_object(), *job = out_object(), *disks = out_array();
	struct forecast recorded = {};
	char bytes[NUM_TEXT];

	forecast_recorded(&recorded, j, layer);
	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "predict");
	out_null(doc, "elapsed_ns");
	conclude(doc, f, n, &recorded);
	out_strf(doc, "title", "%s: %llu reads and writes of layer %s, %s", j->paths[0],
		 (unsigned long long)j->of[layer].requests->workload.all.n, layer_names[layer],
		 num_bytes_text(bytes, j->of[layer].requests->workload.all.bytes));
	out_str(job, "trace", j->paths[0]);
	out_str(job, "layer", layer_names[layer]);
	out_u64(job, "accesses", j->of[layer].requests->workload.all.n);
	out_u64(job, "bytes", j->of[layer].requests->workload.all.bytes);
	out_put(job, "recorded", totals_json(&recorded));
	out_str(job, "recorded_on", f->home ? f->home->path : NULL);
	out_put(doc, "job", job);
	for (unsigned i = 0; i < n; i++)
		out_append(disks, disk_json(&f[i], &recorded));
	out_put(doc, "disks", disks);
	put_notes(doc, f, n, layer);
	evidence_json(doc, &j->evidence);
	return doc;
}

#define TOTALS(at) \
	COLUMN(at ".span_ns.value", .title = "T"), COLUMN(at ".span_ns.low", .title = "from"), \
		COLUMN(at ".span_ns.high", .title = "to"), \
		COLUMN(at ".wait_ns.value", .title = "W"), \
		COLUMN(at ".elapsed_ns.value", .title = "elapsed"), \
		COLUMN_OF(at ".bps.value", "BPS", VIEW_COUNT), \
		COLUMN(at ".bytes_per_second.value", .title = "bandwidth")

static const struct view_column recorded[] = {
	COLUMN("=recorded", .title = "disk"),
	TOTALS("recorded"),
	{},
};

static const struct view_column disks[] = {
	COLUMN("result", .title = "disk"),
	TOTALS("predicted"),
	COLUMN_OF("span_ratio", "T / recorded", VIEW_RATIO),
	COLUMN("method"),
	{},
};

static const struct view_column parts[] = {
	COLUMN("^result", .title = "disk"),
	COLUMN_OF("behaviour_number", "behaviour", VIEW_COUNT),
	COLUMN("accesses"),
	COLUMN("recorded_span_ns", .title = "T recorded"),
	COLUMN("span_ns.value", .title = "predicted"),
	COLUMN("span_ns.low", .title = "from"),
	COLUMN("span_ns.high", .title = "to"),
	WORKLOAD_COLUMNS("workload.", ""),
	COLUMN("is_outside", .title = "outside"),
	{},
};

const struct view forecast_views[] = {
	VIEW("conclusion"),
	VIEW("title"),
	VIEW("job", .columns = recorded),
	VIEW("disks.*", .columns = disks, .is_csv = true),
	VIEW("job.recorded_on", .title = "recorded on"),
	VIEW("disks.*.behaviours.*", .columns = parts, .title = "behaviours"),
	VIEW("", .inner = evidence_views),
	{},
};
