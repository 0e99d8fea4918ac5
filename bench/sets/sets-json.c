// SPDX-License-Identifier: GPL-2.0-or-later
/* The result of bench sets as JSON. A metric is right if, over the cases, it correlates with the
 * execution time with the expected sign. Otherwise it misleads. */
#include "bench/sets/sets.h"

#include <math.h>
#include <stdlib.h>

#include "bench/load/others.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out.h"
#include "user/base/table.h"
#include "user/show/show.h"
#include "user/show/show-json.h"

static struct out *runs_json(const struct sets_case *c)
{
	struct out *list = out_array();

	for (unsigned i = 0; i < c->runs_n; i++) {
		struct out *o = out_object();

		out_u64(o, "elapsed_ns", c->runs[i].elapsed_ns);
		if (c->runs[i].file) {
			out_str(o, "file", c->runs[i].file);
			out_append(list, o);
			continue;
		}
		out_u64(o, "start_ns", c->runs[i].begin_ns);
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

static const char *const direction_words[] = { "right", "misleads", NULL };

/* Returns "right" if @m correlates with the execution time as expected, else "misleads". Adds the
 * verdict of the paper (He, Sun, Yin 2013) if it differs. Adds ", perhaps" if the direction is
 * uncertain. */
static char *verdict(const struct sets_experiment *e, enum sets_metric m,
		     const struct correlation *c)
{
	enum sets_direction paper = sets_in_paper(e->kind, m);
	enum sets_direction here = c->pearson > 0 ? SETS_RIGHT : SETS_MISLEADS;
	bool differs = paper != SETS_UNSAID && paper != here;

	if (isnan(c->pearson))
		return NULL;
	return need_text("%s%s%s%s", direction_words[here],
			 sets_is_uncertain(e, c) ? ", perhaps" : "",
			 differs ? "; in the paper: " : "", differs ? direction_words[paper] : "");
}

static struct out *correlations_json(const struct sets_experiment *e)
{
	struct out *all = out_object();

	for (enum sets_metric m = SETS_TIME + 1; m < SETS_METRICS; m++) {
		struct correlation c = sets_correlation(e, m);
		struct out *o = out_object();
		char *text = verdict(e, m, &c);

		out_f64(o, "cc", c.pearson);
		out_f64(o, "low", c.low);
		out_f64(o, "high", c.high);
		out_f64(o, "spearman_cc", c.spearman);
		out_str(o, "in_paper", direction_words[sets_in_paper(e->kind, m)]);
		out_str(o, "verdict", text);
		if (text && !sets_is_uncertain(e, &c))
			out_bool(o, "misleads", c.pearson <= 0);
		else
			out_null(o, "misleads");
		free(text);
		out_put(all, sets_metrics[m].key, o);
	}
	return all;
}

static void regions_text(FILE *f, const struct regions *r)
{
	char buffer[NUM_TEXT];

	fprintf(f, ", regions of %llu bytes, ", (unsigned long long)r->size);
	if (r->shared)
		fprintf(f, "collective buffers of %s", num_size_arg(buffer, r->shared));
	else if (r->buffer)
		fprintf(f, "a sieve buffer of %s", num_size_arg(buffer, r->buffer));
	else
		fputs("one request each", f);
}

static void heading(FILE *f, const struct sets_experiment *e)
{
	const struct sets_case *c = e->cases;
	char size[NUM_TEXT], bytes[NUM_TEXT];

	fprintf(f, "set %s: %s", sets_names[e->kind], sets_titles[e->kind]);
	if (e->kind >= SETS_COMMANDS)
		return;
	fprintf(f, "; %s", num_bytes_text(bytes, c->bytes));
	if (e->kind == SETS_FILES)
		fprintf(f, " on %u targets", e->files_n);
	else if (e->kind != SETS_DEVICES)
		out_line_format(f, " in %s", e->files[0]);
	if (e->kind == SETS_SIEVING)
		regions_text(f, &c->regions);
	else if (e->kind != SETS_SIZES)
		fprintf(f, " in requests of %s", num_size_arg(size, c->size));
}

static char *heading_text(const struct sets_experiment *e)
{
	char *text = NULL;
	size_t size;
	FILE *f = need(open_memstream(&text, &size));

	heading(f, e);
	if (fclose(f))
		need(NULL);
	return text;
}

/* Adds to *@text the names of metrics. If @which is SETS_RIGHT, these are the metrics that
 * correlate with the execution time as expected, else the metrics that mislead. Leaves out metrics
 * with an uncertain direction. @lead comes before the first name. */
static void conclude(char **text, const struct sets_experiment *e, enum sets_direction which,
		     const char *lead)
{
	const char *between = lead;

	for (enum sets_metric m = SETS_TIME + 1; m < SETS_METRICS; m++) {
		struct correlation c = sets_correlation(e, m);
		char *before = *text;

		if (isnan(c.pearson) || sets_is_uncertain(e, &c) ||
		    (c.pearson > 0) != (which == SETS_RIGHT))
			continue;
		*text = need_text("%s%s%s (CC %.2f)", before, between, sets_metrics[m].title,
				  c.pearson);
		between = ", ";
		free(before);
	}
}

static char *conclusion(const struct sets_experiment *e)
{
	char *text = need_text("%s", "");

	conclude(&text, e, SETS_RIGHT, "follow the time: ");
	conclude(&text, e, SETS_MISLEADS, *text ? "; mislead: " : "mislead: ");
	if (!*text) {
		free(text);
		text = need_text("no metric has a certain direction");
	}
	return text;
}

static struct out *experiment_json(const struct sets_experiment *e)
{
	char *title = heading_text(e), *text = conclusion(e);
	struct out *o = out_object(), *cases = out_array(), *files = out_array();

	out_str(o, "set", sets_names[e->kind]);
	out_str(o, "title", title);
	out_str(o, "conclusion", text);
	free(title);
	free(text);
	out_str(o, "target",
		e->files_n && !(SETS_OF_ALL_TARGETS & 1u << e->kind) ? e->files[0] : NULL);
	out_str(o, "way",
		e->kind == SETS_SIEVING ? sets_ways[sets_way_of(&e->cases->regions)] : NULL);
	for (unsigned i = 0; i < e->files_n; i++)
		out_append_str(files, e->files[i]);
	out_put(o, "files", files);
	for (unsigned i = 0; i < e->cases_n; i++)
		out_append(cases, case_json(&e->cases[i], e->kind < SETS_COMMANDS));
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

static bool is_disturbed(const struct sets_run *r)
{
	return r->others > OTHERS_DISTURB;
}

static bool has_lost(const struct sets_run *r)
{
	return r->lost;
}

static void runs_note(struct out *notes, const struct sets *s,
		      bool (*has)(const struct sets_run *r), const char *what)
{
	unsigned n = 0, all = 0;

	for (unsigned i = 0; i < s->n; i++)
		for (unsigned k = 0; k < s->list[i].cases_n; k++) {
			const struct sets_case *c = &s->list[i].cases[k];

			all += c->runs_n;
			for (unsigned r = 0; r < c->runs_n; r++)
				n += has(&c->runs[r]);
		}
	if (n)
		out_append_strf(notes, "in %u of %u run%s %s", n, all, num_word(all, "", "s"),
				what);
}

static bool has_common_room(const struct sets_experiment *e)
{
	bool common = false;

	for (unsigned i = 0; i < e->files_n; i++)
		for (unsigned k = 0; k < i; k++)
			common |= sets_share_room(e->files[i], e->files[k]);
	return common;
}

static void notes_json(struct out *doc, const struct sets *s)
{
	struct out *notes = out_list(doc, "notes");
	char busy[80];

	snprintf(busy, sizeof(busy), "other programs used more than %.0f %% of the CPU time",
		 OTHERS_DISTURB * 100);
	runs_note(notes, s, is_disturbed, busy);
	runs_note(notes, s, has_lost, "some accesses were lost; see the losses in --json");
	if (s->list->kind == SETS_COMMANDS && !s->how.drop_caches)
		out_append_str(notes, "caches were not flushed; use --drop-caches");
	for (unsigned i = 0; i < s->n; i++)
		if (s->list[i].kind == SETS_FILES && has_common_room(&s->list[i]))
			out_append_str(notes,
				       "in set 3 some targets are in one file system, so "
				       "their processes contend as in set 3c");
	if (!s->complete)
		out_append_str(notes, "incomplete result: some runs are missing");
}

static void put_title(struct out *doc, const struct sets *s)
{
	char elapsed[NUM_TEXT], scale[NUM_TEXT + 32] = "";

	if (s->list->kind == SETS_RESULTS) {
		out_str(doc, "title", "bench sets: earlier results");
		return;
	}
	if (s->targets)
		snprintf(scale, sizeof(scale), "%g of the paper's data, ", s->how.scale);
	out_strf(doc, "title", "bench sets: %llu run%s of each case, %s%s",
		 (unsigned long long)s->how.runs, num_word(s->how.runs, "", "s"), scale,
		 num_time_text(elapsed, s->elapsed_ns));
}

static void runs_options_json(struct out *doc, const struct sets_options *how)
{
	out_u64(doc, "repetitions", how->runs);
	out_u64(doc, "seed", how->seed);
	out_bool(doc, "drop_caches", how->drop_caches);
}

struct out *sets_document(const struct sets *s)
{
	struct out *doc = out_object(), *list = out_array();
	char *text;

	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "bench sets");
	put_title(doc, s);
	out_u64(doc, "elapsed_ns", s->elapsed_ns);
	out_bool(doc, "complete", s->complete);
	if (s->list->kind != SETS_RESULTS)
		runs_options_json(doc, &s->how);
	if (s->targets) {
		sets_engine_json(doc, &s->how);
		out_bool(doc, "direct", s->how.direct);
		out_f64(doc, "scale", s->how.scale);
	}
	for (unsigned i = 0; i < s->n; i++)
		out_append(list, experiment_json(&s->list[i]));
	out_put(doc, "sets", list);
	if (s->how.each_way)
		out_put(doc, "sieving", sets_sieving_json(s));
	text = s->n > 1 ? sets_summary(s) : NULL;
	out_str(doc, "conclusion", text);
	free(text);
	notes_json(doc, s);
	if (s->layers.m) {
		const struct report report = { .m = s->layers.m, .options = &s->layers.options };

		show_evidence_json(doc, &report);
	}
	if (s->environment)
		out_share(doc, "environment", s->environment);
	return doc;
}
