// SPDX-License-Identifier: GPL-2.0-or-later
/* The result of bench sets as one JSON document. */
#include "bench/sets/sets-mpi.h"

#include "user/base/out.h"
#include "user/base/seal.h"
#include "user/show/show.h"
#include "user/show/show-json.h"
#include "bench/sets/sets-metric.h"
#include "bench/sets/sets-json.h"

static struct out *runs_json(const struct sets_case *c)
{
	struct out *list = out_array();

	for (unsigned i = 0; i < c->runs_n; i++) {
		struct out *o = out_object();

		out_u64(o, "start_ns", c->runs[i].begin_ns);
		out_u64(o, "elapsed_ns", c->runs[i].elapsed_ns);
		out_f64(o, "others_cpu_fraction", c->runs[i].others);
		out_share(o, "layers", c->runs[i].layers);
		if (c->runs[i].evidence)
			out_share(o, "evidence", c->runs[i].evidence);
		out_append(list, o);
	}
	return list;
}

static struct out *metrics_json(const struct sets_case *c)
{
	struct out *all = out_object();

	for (enum sets_metric m = 0; m < SETS_METRICS; m++) {
		struct spread s = sets_spread(c, m);
		struct out *o = out_object();

		out_f64(o, "mean", s.mean);
		out_f64(o, "deviation", s.deviation);
		out_put(all, sets_metrics[m].key, o);
	}
	return all;
}

static void case_load_json(struct out *o, const struct sets_case *c)
{
	out_u64(o, "process_count", c->procs);
	out_u64(o, "file_count", c->files);
	out_u64(o, "request_bytes", c->size);
	out_u64(o, "bytes", c->bytes);
	if (!c->regions.size)
		return;
	out_u64(o, "region_bytes", c->regions.size);
	out_u64(o, "spacing_bytes", c->regions.spacing);
	out_u64(o, "sieve_bytes", c->regions.buffer);
}

static struct out *case_json(const struct sets_case *c, bool is_load)
{
	struct out *o = out_object();

	out_str(o, "case", c->name);
	if (is_load)
		case_load_json(o, c);
	out_put(o, "metrics", metrics_json(c));
	out_put(o, "runs", runs_json(c));
	return o;
}

static struct out *correlations_json(const struct sets_experiment *e)
{
	static const char *const words[] = { "right", "misleads", NULL };
	struct out *all = out_object();

	for (enum sets_metric m = SETS_TIME + 1; m < SETS_METRICS; m++) {
		struct correlation c = sets_correlation(e, m);
		struct out *o = out_object();

		out_f64(o, "cc", c.pearson);
		out_f64(o, "low", c.low);
		out_f64(o, "high", c.high);
		out_f64(o, "spearman_cc", c.spearman);
		out_str(o, "in_paper", words[sets_in_paper(e->kind, m)]);
		out_put(all, sets_metrics[m].key, o);
	}
	return all;
}

static struct out *experiment_json(const struct sets_experiment *e)
{
	struct out *o = out_object(), *cases = out_array(), *files = out_array();

	out_str(o, "set", sets_names[e->kind]);
	for (unsigned i = 0; i < e->files_n; i++)
		out_append_str(files, e->files[i]);
	out_put(o, "files", files);
	for (unsigned i = 0; i < e->cases_n; i++)
		out_append(cases, case_json(&e->cases[i], e->kind != SETS_COMMANDS));
	out_put(o, "cases", cases);
	out_put(o, "correlations", correlations_json(e));
	out_f64(o, "inverse_time_cc", sets_inverse_correlation(e));
	return o;
}

static void sets_engine_json(struct out *doc, const struct sets_options *how)
{
	out_str(doc, "engine", how->ranks ? "mpiio" : how->engine->name);
	if (how->ranks)
		out_str(doc, "engine_version", sets_mpi_version());
	out_bool(doc, "collective", how->collective);
	out_u64(doc, "collective_buffer_bytes", how->collective_bytes);
}

struct out *sets_document(const struct sets *s)
{
	struct out *doc = out_object(), *list = out_array();

	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "bench sets");
	out_u64(doc, "elapsed_ns", s->elapsed_ns);
	out_bool(doc, "complete", s->complete);
	out_u64(doc, "repetitions", s->how.runs);
	out_u64(doc, "seed", s->how.seed);
	out_bool(doc, "drop_caches", s->how.drop_caches);
	if (s->targets) {
		sets_engine_json(doc, &s->how);
		out_bool(doc, "direct", s->how.direct);
		out_f64(doc, "scale", s->how.scale);
	}
	for (unsigned i = 0; i < s->n; i++)
		out_append(list, experiment_json(&s->list[i]));
	out_put(doc, "sets", list);
	if (s->layers.m) {
		const struct report report = { .m = s->layers.m, .options = &s->layers.options };

		show_evidence_json(doc, &report);
	}
	out_share(doc, "environment", s->environment);
	seal(doc);
	return doc;
}
