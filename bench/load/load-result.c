// SPDX-License-Identifier: GPL-2.0-or-later
/* The result of a load as JSON, its tables, and the line of progress on the terminal. */
#include "bench/load/load-result.h"
#include "bench/load/verify-result.h"
#include "bench/load/watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/out-print.h"
#include "user/host/class.h"
#include "user/host/environment.h"
#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/out.h"
#include "user/base/progress.h"
#include "user/show/show-json.h"
#include "user/show/show-rows.h"
#include "bench/model/workload.h"

static const char *const end_words[] = {
	"time", "confidence", "steady", "not steady", "interrupted", "error", "deadline",
};
static const char *const op_words[] = { "read", "write" };

void rounds_add(struct rounds *r, double rate)
{
	if (r->n == r->room) {
		r->room = r->room ? 2 * r->room : 64;
		r->rate = need(realloc(r->rate, r->room * sizeof(*r->rate)));
	}
	r->rate[r->n++] = rate;
}

bool load_is_complete(const struct load_result *r)
{
	return r->end != END_SIGNAL && r->end != END_ERROR;
}

void load_progress(const struct load_result *r, u64 elapsed_ns, u64 limit_ns)
{
	struct interval ci = batch_means(r->rounds.rate, r->rounds.n);
	struct steady s = steady_test(r->rounds.rate, r->rounds.n);
	char a[NUM_TEXT], limit[NUM_TEXT] = "", width[NUM_TEXT] = "";

	if (limit_ns)
		snprintf(limit, sizeof(limit), " of %.1f", limit_ns / 1e9);
	if (!isnan(ci.half_width) && ci.mean > 0)
		snprintf(width, sizeof(width), "  +- %.2f %%", ci.half_width / ci.mean * 100);
	progress("%.1f%s s  %s IOPS%s%s", elapsed_ns / 1e9, limit,
		 num_count_text(a, r->rounds.rate[r->rounds.n - 1]), width,
		 r->rounds.n < STEADY_WINDOW ? "" :
			 s.reached	     ? "  steady" :
					       "  not steady");
}

static void load_engine_json(struct out *o, const struct load_spec *s)
{
	out_str(o, "engine", s->engine->name);
	out_bool(o, "iopoll", s->iopoll);
	out_bool(o, "sqpoll", s->sqpoll);
	out_bool(o, "passthrough", s->engine == &engine_nvme);
	if (s->engine->can & ENGINE_DATA)
		out_bool(o, "buffered", s->buffered);
	else
		out_null(o, "buffered");
	out_u64(o, "process_count", s->procs);
	out_bool(o, "threads", !s->processes);
	out_str(o, "class", class_name(s->class));
	out_bool(o, "class_given", s->class_given);
	out_u64(o, "depth", s->depth);
	out_bool(o, "depth_by_class", s->depth_by_class);
	out_u64(o, "batch", s->batch);
	out_bool(o, "batch_by_class", s->batch_by_class);
}

static void watch_json(struct out *o, const struct load_result *r)
{
	const struct watch_options *how = r->how;
	bool by_time = !r->spec->requests && !how->steady;

	out_u64_or_null(o, "requests", r->spec->requests, r->spec->requests);
	out_u64_or_null(o, "duration_ns", by_time && how->time_ns, how->time_ns);
	out_u64(o, "warm_up_ns", r->spec->requests ? 0 : how->warm_up_ns);
	out_u64(o, "interval_ns", how->round_ns);
	out_f64(o, "until_ci_fraction", how->until_ci > 0 ? how->until_ci : NAN);
	out_bool(o, "until_steady", how->steady);
}

static struct out *spec_json(const struct load_result *r)
{
	const struct load_spec *s = r->spec;
	struct out *o = out_object();

	out_words(o, "targets", r->targets);
	out_u64(o, "unique_bytes", s->stream.unique_bytes * s->procs);
	out_bool(o, "unique_bytes_by_target", s->unique_bytes_by_target);
	out_u64_or_null(o, "size_bytes", !s->sizes_listed, s->stream.size);
	out_str(o, "size_distribution", s->sizes);
	out_f64(o, "size_cv", s->stream.sizes ? s->stream.sizes->cv : NAN);
	out_f64(o, parameters[PARAM_READ].key, s->stream.read);
	out_f64(o, parameters[PARAM_SEQ].key, s->stream.seq);
	out_f64(o, "zipf", s->stream.zipf);
	out_u64(o, "align_bytes", s->stream.align);
	out_f64(o, "rate_per_second", s->rate > 0 ? s->rate * s->procs : NAN);
	out_str(o, "arrivals", !(s->rate > 0) ? NULL : s->poisson ? "poisson" : "even");
	out_u64(o, "think_ns", s->think_ns);
	out_u64(o, "seed", s->stream.seed);
	load_engine_json(o, s);
	watch_json(o, r);
	return o;
}

static struct out *confidence_json(const struct load_result *r)
{
	struct interval ci = batch_means(r->rounds.rate, r->rounds.n);
	struct out *o = out_object();

	out_u64(o, "interval_count", r->rounds.n);
	out_f64(o, "iops", ci.mean);
	out_f64(o, "half_width_iops", ci.half_width);
	out_f64(o, "level", 0.95);
	out_u64(o, "batches", ci.batches);
	out_f64(o, "autocorrelation", ci.correlation);
	return o;
}

static struct out *steady_json(const struct load_result *r)
{
	struct steady s = steady_test(r->rounds.rate, r->rounds.n);
	struct out *o = out_object();

	out_bool(o, "reached", s.reached);
	out_f64(o, "range_fraction", s.range);
	out_f64(o, "slope_fraction", s.slope);
	out_u64(o, "window_intervals", STEADY_WINDOW);
	return o;
}

static struct out *app_json(const struct load_result *r)
{
	struct out *app = sum_json(&r->all), *ops = out_object();

	for (int i = 0; i < 2; i++)
		if (r->ops[i].row.accesses)
			out_put(ops, op_words[i], sum_json(&r->ops[i]));
	out_put(app, "operations", ops);
	return app;
}

/* Returns the bytes that @layer has transferred for each byte that the load requested. */
static double load_amplification(const struct load_result *r, int layer)
{
	return (double)r->below->m->layers[layer].row.bytes / r->all.row.bytes;
}

static void below_json(struct out *doc, struct out *layers, const struct load_result *r)
{
	const struct report report = { .m = r->below->m, .options = &r->below->options };
	struct out *o = out_object();

	out_put(layers, "vfs", show_layer_json(&report, LAYER_VFS));
	out_put(layers, "device", show_layer_json(&report, LAYER_DEVICE));
	out_put(doc, "devices", show_devices_json(&report));
	out_f64(o, "vfs_per_app", load_amplification(r, LAYER_VFS));
	out_f64(o, "device_per_vfs", report_amplification(&report, LAYER_DEVICE, LAYER_VFS));
	out_f64(o, "device_per_app", load_amplification(r, LAYER_DEVICE));
	out_put(doc, "amplification", o);
	show_evidence_json(doc, &report);
}

static void load_layers_json(struct out *doc, const struct load_result *r)
{
	struct out *layers = out_object();

	out_put(layers, "app", app_json(r));
	if (r->below) {
		below_json(doc, layers, r);
	} else {
		out_null(layers, "vfs");
		out_null(layers, "device");
	}
	out_put(doc, "layers", layers);
}

/* Adds to @doc one sentence that sums up the result. The rate and its confidence interval come
 * first. */
static void put_conclusion(struct out *doc, const struct load_result *r)
{
	struct interval ci = batch_means(r->rounds.rate, r->rounds.n);
	struct steady steady = steady_test(r->rounds.rate, r->rounds.n);
	char width[NUM_TEXT] = "", found[VERIFY_TEXT], values[4][NUM_TEXT];
	static const char *const keys[] = { "iops", KEY_BANDWIDTH, KEY_LATENCY_MEAN,
					    KEY_LATENCY_P99 };

	for (int i = 0; i < 4; i++)
		metric_text(values[i], metric_named(keys[i]), &r->all);
	if (ci.half_width >= 0 && ci.mean > 0)
		snprintf(width, sizeof(width), " +- %.2f %% (95 %%)",
			 ci.half_width / ci.mean * 100);
	out_strf(doc, "conclusion", "%s%s IOPS%s, %s, mean latency %s, p99 %s%s%s",
		 load_is_complete(r) ? "" : "incomplete: ", values[0], width, values[1], values[2],
		 values[3],
		 r->rounds.n < STEADY_WINDOW ? "" :
			 steady.reached	     ? "; the rate is steady" :
					       "; the rate is not steady",
		 verify_text(found, r->spec->verify));
}

void load_request_notes(struct out *notes, const struct load_result *r)
{
	if (r->counts.first_errno)
		out_append_strf(notes, "requests failed, the first one with '%s'",
				strerror(r->counts.first_errno));
	if (r->counts.short_requests)
		out_append_strf(notes, "%llu request%s transferred too little, without an error",
				(unsigned long long)r->counts.short_requests,
				num_word(r->counts.short_requests, "", "s"));
}

void load_end_note(struct out *notes, const struct load_result *r)
{
	if (!load_is_complete(r))
		out_append_strf(notes, "incomplete result, ended by: %s", end_words[r->end]);
	if (r->spec->verify && r->spec->verify->cut)
		out_append_str(notes, "not all data was read back");
}

static void notes_json(struct out *doc, const struct load_result *r)
{
	struct out *notes = out_list(doc, "notes");

	if (r->rounds.n && r->rounds.n < CI_BATCHES)
		out_append_strf(notes, "too few intervals for a confidence interval (minimum %d)",
				CI_BATCHES);
	if (r->end == END_TIME && r->how->until_ci > 0)
		out_append_str(notes,
			       "the confidence interval is wider than --until-ci; increase "
			       "--duration");
	if (r->counts.late)
		out_append_strf(notes,
				"%llu scheduled request%s %s never issued, the load could not keep "
				"up with --rate",
				(unsigned long long)r->counts.late,
				num_word(r->counts.late, "", "s"),
				num_word(r->counts.late, "was", "were"));
	load_request_notes(notes, r);
	load_end_note(notes, r);
}

struct out *load_document(const struct load_result *r)
{
	struct out *doc = out_object(), *rates = out_array();

	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "bench load");
	out_u64(doc, "elapsed_ns", r->all.elapsed_ns);
	put_conclusion(doc, r);
	out_put(doc, "load", spec_json(r));
	out_bool(doc, "complete", load_is_complete(r));
	out_str(doc, "ended_by", end_words[r->end]);
	load_layers_json(doc, r);
	out_u64(doc, "short_requests", r->counts.short_requests);
	out_u64(doc, "late_requests", r->counts.late);
	out_str(doc, "first_error", r->counts.first_errno ? strerror(r->counts.first_errno) : NULL);
	for (unsigned i = 0; i < r->rounds.n; i++)
		out_append_f64(rates, r->rounds.rate[i]);
	out_put(doc, "interval_iops", rates);
	out_put(doc, "confidence_interval", confidence_json(r));
	out_put(doc, "steady_state", steady_json(r));
	out_put(doc, "verify", r->spec->verify ? verify_json(r->spec->verify, r->targets) : NULL);
	notes_json(doc, r);
	out_put(doc, "environment", environment(&this_host, r->targets[0]));
	return doc;
}

int load_live(FILE *f, const struct load_result *r, u64 elapsed_ns)
{
	struct out *line = out_object();

	out_u64(line, "elapsed_ns", elapsed_ns);
	out_f64(line, "iops", r->rounds.rate[r->rounds.n - 1]);
	out_put(line, "app", sum_json(&r->all));
	out_put(line, "confidence_interval", confidence_json(r));
	out_put(line, "steady_state", steady_json(r));
	out_json_line(f, line);
	out_free(line);
	return fflush(f) || ferror(f) ? -(errno ?: EIO) : 0;
}

static const struct view_column csv[] = { COLUMN("@"), SHOW_EVERY_METRIC, {} };

static const struct view_column intervals[] = {
	COLUMN("load.interval_ns"),
	COLUMN("confidence_interval.interval_count", .title = "intervals"),
	COLUMN("confidence_interval.iops", .title = "rate",
	       .deviation = "confidence_interval.half_width_iops"),
	COLUMN("confidence_interval.batches"),
	COLUMN("confidence_interval.autocorrelation"),
	COLUMN("steady_state.reached", .title = "steady"),
	COLUMN("steady_state.range_fraction", .title = "range (at most 20 %)"),
	COLUMN("steady_state.slope_fraction", .title = "slope (at most 10 %)"),
	{},
};

static const struct view_column requests[] = { COLUMN("unique_bytes", .title = "data"),
					       COLUMN("unique_bytes_by_target", .title = "",
						      .mark = "by target"),
					       COLUMN("size_bytes", .title = "size"),
					       COLUMN("size_distribution"),
					       COLUMN("size_cv", .title = "size CV"),
					       COLUMN("read_fraction"),
					       COLUMN("sequential_fraction"),
					       COLUMN("zipf"),
					       COLUMN("rate_per_second"),
					       COLUMN("arrivals"),
					       COLUMN("think_ns"),
					       COLUMN("seed"),
					       {} };

static const struct view_column engine[] = {
	COLUMN("class"),
	COLUMN("engine"),
	COLUMN("buffered", .off = "no"),
	COLUMN("iopoll", .off = "no"),
	COLUMN("sqpoll", .off = "no"),
	COLUMN("passthrough", .off = "no"),
	COLUMN("process_count"),
	COLUMN("threads", .off = "no"),
	COLUMN("depth"),
	COLUMN("depth_by_class", .title = "", .mark = "by class"),
	COLUMN("batch"),
	COLUMN("batch_by_class", .title = "", .mark = "by class"),
	{}
};

const struct view load_views[] = {
	VIEW("conclusion"),
	VIEW("load.targets.*", .title = "target"),
	VIEW("layers.*", .columns = show_layers, .left = 1, .only_with = "accesses"),
	VIEW("layers.*", .columns = show_latencies, .left = 1, .only_with = "accesses"),
	VIEW("layers.*.operations.*", .columns = show_operations, .left = 2),
	VIEW("devices.*.operations.*", .columns = show_disk_operations, .left = 2),
	VIEW("", .columns = intervals, .only_with = "confidence_interval.iops"),
	VIEW("amplification.vfs_per_app", .title = "bytes of vfs / app"),
	VIEW("amplification.device_per_vfs", .title = "bytes of device / vfs"),
	VIEW("verify", .columns = verify_checks),
	VIEW("verify.first_differences.*", .columns = verify_differences, .left = 3),
	VIEW("load", .columns = requests),
	VIEW("load", .columns = engine, .left = 2),
	VIEW("layers.*", .columns = csv, .is_csv = true, .is_hidden = true,
	     .only_with = "accesses"),
	VIEW("", .inner = show_evidence_views),
	{},
};
