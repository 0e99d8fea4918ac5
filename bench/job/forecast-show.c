// SPDX-License-Identifier: GPL-2.0-or-later
/* The document and the text of the predictions for a recorded job. T is the time in which at least
 * one access is in flight. */
#include "bench/job/forecast-show.h"

#include <math.h>

#include "bench/model/model-html.h"
#include "bench/model/predict-show.h"
#include "tools/report/evidence.h"
#include "user/base/num.h"
#include "user/base/out-read.h"
#include "user/base/out.h"
#include "user/base/page.h"

static struct out *times_json(const struct job_times *t)
{
	struct out *o = out_object();

	out_put(o, "span_ns", estimate_json(&t->span_ns));
	out_put(o, "wait_ns", estimate_json(&t->wait_ns));
	out_put(o, "elapsed_ns", estimate_json(&t->elapsed_ns));
	out_put(o, "bps", estimate_json(&t->bps));
	out_put(o, "bytes_per_second", estimate_json(&t->bandwidth));
	return o;
}

static struct out *part_json(const struct forecasts *f, const struct forecast_part *p, u32 i)
{
	const struct behaviour *b = &f->workload->behaviours.of[i];
	struct out *o = out_object(), *outside = out_array();

	out_u64(o, "behaviour_number", i + 1);
	out_u64(o, "stretch_count", b->stretches);
	out_u64(o, "accesses", b->model.n);
	out_put(o, "workload", workload_json(&f->at[i]));
	out_f64(o, "recorded_span_ns", f->recorded_ns[i]);
	out_put(o, "span_ns", estimate_json(&p->span_ns));
	for (enum parameter k = 0; k < PARAMETERS; k++)
		if (p->outside >> k & 1)
			out_append_str(outside, parameters[k].title);
	out_put(o, "outside", outside);
	out_bool(o, "at_border", p->at_border);
	return o;
}

static struct out *disk_json(const struct forecasts *all, const struct forecast *f)
{
	struct out *o = out_object(), *parts = out_array();

	out_str(o, "result", f->m->path);
	out_str(o, "result_hash", out_get_str(f->m->doc, "hash"));
	out_bool(o, "complete", f->m->complete);
	out_put(o, "predicted", times_json(&f->all));
	out_f64(o, "span_ratio", f->all.span_ns.value / all->recorded.span_ns.value);
	out_str(o, "method", method_words[f->m->method]);
	for (u32 i = 0; i < all->workload->behaviours.n; i++)
		out_append(parts, part_json(all, &f->parts[i], i));
	out_put(o, "behaviours", parts);
	return o;
}

/* Returns the disk with the shortest predicted T among all disks except @but. NULL: there is no
 * other disk. */
static const struct forecast *fastest(const struct forecasts *f, const struct forecast *but)
{
	const struct forecast *best = NULL;

	for (unsigned i = 0; i < f->n; i++)
		if (&f->of[i] != but &&
		    (!best || f->of[i].all.span_ns.value < best->all.span_ns.value))
			best = &f->of[i];
	return best;
}

static void conclude_one(struct out *doc, const struct forecasts *f)
{
	const struct estimate *t = &f->of->all.span_ns;
	char value[NUM_TEXT], low[NUM_TEXT], high[NUM_TEXT], was[NUM_TEXT];

	num_time_text(value, t->value);
	num_time_text(was, f->recorded.span_ns.value);
	if (isnan(t->low))
		out_strf(doc, "conclusion",
			 "predicted T is %s, with an unknown error; the recording has %s", value,
			 was);
	else
		out_strf(doc, "conclusion",
			 "predicted T is %s, expected from %s to %s; the recording has %s", value,
			 num_time_text(low, t->low), num_time_text(high, t->high), was);
}

static void conclude(struct out *doc, const struct forecasts *f)
{
	const struct forecast *best = fastest(f, NULL), *next = fastest(f, best);
	const struct estimate *a, *b;

	if (!next) {
		conclude_one(doc, f);
		return;
	}
	a = &best->all.span_ns;
	b = &next->all.span_ns;
	out_strf(doc, "conclusion",
		 "'%s' is predicted to be the fastest: T on '%s', the next one, is %.2f times as "
		 "long; %s",
		 best->m->path, next->m->path, b->value / a->value,
		 isnan(a->high) || isnan(b->low) ? "the errors are unknown" :
			 a->high < b->low	 ? "the expected ranges do not overlap" :
						   "the expected ranges overlap");
}

/* There is a note about a part of W, or a part of the job's bytes, only if the part is larger than
 * this fraction. */
#define PART_NOTED 0.01

/* Adds a note if the predicted T may be too short: the benchmark of @of had the workloads of the
 * job in the page cache, but the job needed disks. They moved more than the fraction PART_NOTED of
 * its bytes. */
static void served_note(struct out *notes, const struct forecasts *f, const struct forecast *of)
{
	const struct character *device = &f->job->of[LAYER_DEVICE];
	double bytes = device->layer ? device->requests->workload.all.bytes : 0;
	char moved[NUM_TEXT];

	if (of->is_cached && f->layer != LAYER_DEVICE &&
	    bytes > PART_NOTED * f->workload->all.bytes)
		out_append_strf(notes,
				"the benchmark of '%s' had workloads of the job in the page cache, "
				"but disks moved %s for the job: T is too short if the disk "
				"matters; use a result of 'bench scale --direct'",
				of->m->path, num_bytes_text(moved, bytes));
}

/* Adds a note if the page cache may have served the benchmark and the recorded job differently. */
static void cache_note(struct out *notes, const struct forecasts *f)
{
	bool direct = out_is_true(f->of->m->doc, "direct");

	if (f->layer == LAYER_DEVICE && !direct)
		out_append_str(notes,
			       "the results were measured with the page cache, so they are no "
			       "measure of the disk alone; use results of 'bench scale --direct'");
	else if (f->layer != LAYER_DEVICE && direct)
		out_append_str(notes,
			       "the results were measured with --direct, so the job is assumed not "
			       "to use the page cache");
	else if (f->layer != LAYER_DEVICE)
		out_append_str(notes,
			       "the page cache is assumed to hold the data as in the benchmark; "
			       "results of 'bench scale --direct' predict the device layer");
}

static bool has_outside(const struct forecasts *f)
{
	for (unsigned i = 0; i < f->n; i++)
		for (u32 k = 0; k < f->workload->behaviours.n; k++)
			if (f->of[i].parts[k].outside)
				return true;
	return false;
}

/* Adds a note if syncs take more than the fraction PART_NOTED of W, the time in which the program
 * waits for I/O. The prediction does not change the time of syncs. */
static void syncs_note(struct out *notes, const struct forecasts *f)
{
	double part = f->syncs_ns / f->recorded.wait_ns.value;
	char time[NUM_TEXT];

	if (part > PART_NOTED)
		out_append_strf(notes,
				"%.0f %% of W, %s, are syncs without a read or write of layer %s "
				"in flight; bench scale measures no syncs, so W and elapsed keep "
				"this time on each disk",
				100 * part, num_time_text(time, f->syncs_ns),
				layer_names[f->layer]);
}

/* Adds a note if the device layers of the job and of the result @m differ: one is that of a stacked
 * disk, the other is that of the disks below it. */
static void stacked_note(struct out *notes, const struct forecasts *f, const struct model *m)
{
	const char *disk = out_get_str(m->doc, "stacked_disk");

	if (f->layer != LAYER_DEVICE || !disk == !f->job->is_stacked)
		return;
	if (disk)
		out_append_strf(notes,
				"the device layer of '%s' is that of the stacked disk %s, but the "
				"job has the disks below; select the stacked disk by --device",
				m->path, disk);
	else
		out_append_strf(notes,
				"the job has a stacked disk, but '%s' has the disks below; use a "
				"result of 'bench scale' with the stacked disk as TARGET",
				m->path);
}

static void put_notes(struct out *notes, const struct forecasts *f)
{
	for (unsigned i = 0; i < f->n; i++)
		stacked_note(notes, f, f->of[i].m);
	if (f->home)
		stacked_note(notes, f, f->home);
	syncs_note(notes, f);
	if (has_outside(f))
		out_append_str(notes,
			       "the error is unknown if a behaviour has parameters outside the "
			       "measured range, or that were not varied; the column 'outside' "
			       "names them");
	cache_note(notes, f);
	for (unsigned i = 0; i < f->n; i++)
		served_note(notes, f, &f->of[i]);
	if (f->without_bps)
		out_append_strf(notes,
				"bandwidth is used in place of BPS, because '%s' has no BPS of "
				"layer %s for all workloads of the job",
				f->without_bps->path, layer_names[f->layer]);
	if (isnan(f->recorded.wait_ns.value))
		out_append_str(notes,
			       "W is unknown, because no calls of layer vfs are selected; the "
			       "program is assumed to wait for all of T");
	for (unsigned i = 0; i < f->n; i++)
		if (!f->of[i].m->complete)
			out_append_strf(notes, "the benchmark of '%s' is incomplete",
					f->of[i].m->path);
	if (f->home && !f->home->complete)
		out_append_strf(notes, "the benchmark of '%s' is incomplete", f->home->path);
}

static struct out *job_json(const struct forecasts *f)
{
	const struct workload_model *all = &f->workload->all;
	struct out *o = out_object();

	out_str(o, "trace", f->job->paths[0]);
	out_str(o, "layer", layer_names[f->layer]);
	out_u64(o, "accesses", all->n);
	out_u64(o, "bytes", all->bytes);
	out_put(o, "recorded", times_json(&f->recorded));
	out_str(o, "recorded_on", f->home ? f->home->path : NULL);
	return o;
}

struct out *forecast_document(const struct forecasts *f)
{
	const struct workload_model *all = &f->workload->all;
	struct out *doc = out_object(), *disks = out_array();
	char bytes[NUM_TEXT];

	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "predict");
	out_null(doc, "elapsed_ns");
	conclude(doc, f);
	out_strf(doc, "title", "%s: %llu reads and writes of layer %s, %s", f->job->paths[0],
		 (unsigned long long)all->n, layer_names[f->layer],
		 num_bytes_text(bytes, all->bytes));
	out_put(doc, "job", job_json(f));
	for (unsigned i = 0; i < f->n; i++)
		out_append(disks, disk_json(f, &f->of[i]));
	out_put(doc, "disks", disks);
	put_notes(out_list(doc, "notes"), f);
	evidence_json(doc, &f->job->evidence);
	return doc;
}

int forecast_plots(FILE *html, const void *forecasts)
{
	const struct forecasts *f = forecasts;
	int ret = 0;

	for (unsigned i = 0; i < f->n && !ret; i++) {
		fputs("<h2>Result: ", html);
		page_text(html, f->of[i].m->path);
		fputs("</h2>\n", html);
		ret = model_plots(html, f->of[i].m->doc);
	}
	return ret;
}

#define TOTALS(at) \
	COLUMN(at ".span_ns.value", .title = "T"), COLUMN(at ".span_ns.low", .title = "from"), \
		COLUMN(at ".span_ns.high", .title = "to"), \
		COLUMN(at ".wait_ns.value", .title = "W"), \
		COLUMN(at ".elapsed_ns.value", .title = "elapsed"), \
		COLUMN_OF(at ".bps.value", "BPS", VIEW_COUNT), \
		COLUMN_OF(at ".bytes_per_second.value", "bandwidth", VIEW_BYTE_RATE)

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
	COLUMN("outside"),
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
