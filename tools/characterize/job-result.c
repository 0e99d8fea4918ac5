// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the result of `characterize` as a JSON document, and describes how the document is shown as
 * text and CSV. */
#include "tools/characterize/job-result.h"

#include <math.h>
#include <stdlib.h>

#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out.h"
#include "tools/characterize/character-json.h"
#include "tools/characterize/criteria.h"
#include "tools/characterize/spreads.h"

static char *requests_text(const struct character *c)
{
	const struct requests *r = c->requests;
	double bytes = criteria_bytes(c, DIR_BOTH, 0), n = criteria_operations(c, DIR_BOTH, 0);
	double steps = 0;
	char size[NUM_TEXT];
	struct counted top;

	if (n == 0)
		return need_text("in an unknown number of requests");
	if (!r || !steps_word(&r->steps, DIR_BOTH) ||
	    !census_top(&r->sizes[DIR_BOTH].census, &top, 1))
		return need_text("in requests of %s on average", num_bytes_text(size, bytes / n));
	for (int kind = 0; kind < STEP_KINDS; kind++)
		steps = fmax(steps, steps_fraction(&r->steps, DIR_BOTH, kind));
	return need_text("%.0f %% of the requests have %s, %.0f %% of the steps are %s",
			 100 * sizes_commonest_fraction(&r->sizes[DIR_BOTH]),
			 num_bytes_text(size, top.value), 100 * steps,
			 steps_word(&r->steps, DIR_BOTH));
}

#define MOVED_TEXT (NUM_TEXT + 16)

/* Stores in @buf how much an interval with I/O moves: "more than 128k" if @threshold is 128k, "I/O"
 * if @threshold is 0. Returns @buf, which must have MOVED_TEXT bytes. */
static const char *moved_text(char *buf, u64 threshold)
{
	char size[NUM_TEXT];

	snprintf(buf, MOVED_TEXT, threshold ? "more than %s" : "I/O",
		 num_size_arg(size, threshold));
	return buf;
}

static char *course_text(const struct character *c)
{
	const struct burst *b = &c->course.bursts[0][DIR_BOTH];
	const struct rhythm *r = &c->course.rhythm[DIR_BOTH];
	u64 width = c->counters.interval_ns;
	char moved[MOVED_TEXT], interval[NUM_TEXT], period[NUM_TEXT], strength[NUM_TEXT];
	char *active, *text;

	if (c->requests && c->counters.n == 1)
		return need_text("I/O during %.0f %% of the time",
				 100 * criteria_span_ns(c, DIR_BOTH) / c->elapsed_ns);
	active = need_text("%s in %.0f %% of the intervals of %s",
			   moved_text(moved, c->thresholds[0]), 100.0 * b->active / b->intervals,
			   num_time_arg(interval, width));
	if (!r->period)
		return active;
	text = need_text("%s, with a period of %s (correlation %s)", active,
			 num_time_text(period, (double)r->period * width),
			 num_ratio_text(strength, r->strength));
	free(active);
	return text;
}

/* Returns true if filters or times may exclude accesses of a layer. */
static bool is_selection(const struct job *j)
{
	bool any = j->from_ns || j->to_ns || j->filter.ops != TRACE_FILTER_ALL.ops;

	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		any |= j->filter.text[kind] != NULL;
	return any;
}

/* If the recorder lost many accesses of the layer, returns a mark for the first line of the text,
 * otherwise "". If options select a part of the trace, returns "", because the losses are those of
 * the whole trace. */
static const char *losses_mark(const struct job *j, const struct character *c)
{
	return !is_selection(j) && c->losses > LOST_MAX * criteria_operations(c, DIR_BOTH, 0) ?
		" (incomplete, see the losses)" :
		"";
}

static void conclude(struct out *doc, const struct job *j)
{
	const struct character *c = job_examined(j);
	char bytes[NUM_TEXT], *requests, *course;
	double written, all;

	if (!c) {
		out_str(doc, "conclusion", "the job neither read nor wrote");
		return;
	}
	all = criteria_bytes(c, DIR_BOTH, 0);
	written = criteria_bytes(c, DIR_WRITE, 0) / all;
	requests = requests_text(c);
	course = course_text(c);
	out_strf(doc, "conclusion", "%s%s: %.0f %% of %s are %s, %s; %s", c->layer,
		 losses_mark(j, c), 100 * fmax(written, 1 - written), num_bytes_text(bytes, all),
		 written > 0.5 ? "written" : "read", requests, course);
	free(requests);
	free(course);
}

static u64 interval_ns(const struct job *j)
{
	for (int i = 0; i < JOB_LAYERS; i++)
		if (j->of[i].layer)
			return j->of[i].counters.interval_ns;
	return j->interval_ns;
}

static void put_title(struct out *doc, const struct job *j)
{
	char elapsed[NUM_TEXT], n[NUM_TEXT], *inputs = need_words(j->live ?: j->paths);

	num_time_text(elapsed, j->elapsed_ns);
	if (j->is_log)
		out_strf(doc, "title", "%s: %s elapsed, intervals of %s", inputs, elapsed,
			 num_time_arg(n, interval_ns(j)));
	else
		out_strf(doc, "title", "%s: %s elapsed, %s access%s read", inputs, elapsed,
			 num_count_text(n, j->accesses), num_word(j->accesses, "", "es"));
	free(inputs);
}

static void add_note(struct out *notes, u64 n, const char *one, const char *many, const char *rest)
{
	if (n)
		out_append_strf(notes, "%llu %s%s", (unsigned long long)n, num_word(n, one, many),
				rest);
}

#define FEW_INTERVALS 10

/* If the job has too few intervals to show its course, adds a note. The note suggests a shorter
 * interval, which gives 20 to 200 intervals. A log of counters gets no note, because its intervals
 * cannot be made shorter. */
static void intervals_note(struct out *notes, const struct job *j)
{
	u64 width = interval_ns(j), better = 1, n;
	char now[NUM_TEXT], then[NUM_TEXT];

	if (j->is_log || !width || j->elapsed_ns < 20)
		return;
	n = j->elapsed_ns / width + !!(j->elapsed_ns % width);
	if (n >= FEW_INTERVALS)
		return;
	while (better * 10 <= j->elapsed_ns / 20)
		better *= 10;
	out_append_strf(
		notes,
		"%llu interval%s of %s cannot show the course of the job; to see more, give "
		"-i %s",
		(unsigned long long)n, num_word(n, "", "s"), num_time_arg(now, width),
		num_time_arg(then, better));
}

static void reading_notes(struct out *notes, const struct job *j)
{
	intervals_note(notes, j);
	add_note(notes, j->log.missing, "sample", "samples",
		 " missing (one per server and interval), counted as no I/O");
	add_note(notes, j->log.resets, "reset", "resets", " of counters to 0");
	add_note(notes, j->late, "access", "accesses",
		 " processed after one that starts later: patterns and concurrency are not exact");
}

struct distribution {
	struct out *list;
	struct spreads *spreads;
};

static struct out *spread_json(const struct spread *s)
{
	struct out *o = out_object(), *deciles = out_list(o, "deciles");

	out_u64(o, "job_count", s->n);
	out_f64(o, "p50", spread_tenth(s, 5));
	out_f64(o, "p80", spread_tenth(s, 8));
	for (u32 i = 1; s->n && i <= TENTHS; i++)
		out_append_f64(deciles, spread_tenth(s, i));
	return o;
}

static void add_spreads(void *to, const struct character *c, const struct criterion *what, u32 t)
{
	struct distribution *all = to;
	struct out *o;

	if (!what->by_threshold)
		return;
	o = criterion_object(c, what, t);
	for (int d = 0; d < DIRECTIONS; d++)
		out_put(o, direction_names[d],
			spread_json(&all->spreads->of[all->spreads->n * DIRECTIONS + d]));
	out_append(all->list, o);
	all->spreads->n++;
}

/* Sets the conclusion about the criterion "intensity", the first one in s->of: a job's fraction of
 * intervals with I/O. The conclusion has the median and the 80th percentile over the jobs. */
static void conclude_jobs(struct out *doc, const struct spreads *s, u64 threshold)
{
	const struct spread *intensity = s->of + DIR_BOTH;
	char moved[MOVED_TEXT];

	if (s->rows && intensity->n)
		out_strf(doc, "conclusion",
			 "of %u job%s, half have %s in at most %.0f %% of their intervals, 80 %% "
			 "in at "
			 "most %.0f %%",
			 intensity->n, num_word(intensity->n, "", "s"),
			 moved_text(moved, threshold), 100 * spread_tenth(intensity, 5),
			 100 * spread_tenth(intensity, 8));
	else
		out_str(doc, "conclusion", "no job is in the input");
}

static void distribution_json(struct out *doc, const struct job *j)
{
	const struct character *of = job_examined(j);
	struct spreads s = spreads_of(j);
	struct distribution all = { out_list(doc, "distribution"), &s };

	conclude_jobs(doc, &s, j->thresholds[0]);
	out_str(doc, "layer", of ? of->layer : NULL);
	if (of)
		criteria_each(of, &all, add_spreads);
	out_u64(doc, "jobs_outside", s.result.outside);
	out_u64(doc, "servers_unknown", s.result.unknown);
	out_u64(doc, "brief_job_count", j->list.brief);
	add_note(out_list(doc, "notes"), s.result.outside, "job", "jobs",
		 j->is_log ? " outside the time of the log, left out" :
			     " without I/O in the trace, left out");
	add_note(out_list(doc, "notes"), j->list.brief, "job", "jobs",
		 " shorter than --least-duration, left out");
	add_note(out_list(doc, "notes"), s.result.unknown, "server", "servers",
		 " named by jobs but not in the log, counted as idle");
	spreads_release(&s);
}

struct sink {
	void (*add)(void *to, struct out *element);
	void *to;
};

static void add_job(void *sink, const struct character *c)
{
	const struct sink *s = sink;

	s->add(s->to, character_of_job(c));
}

void each_job(const void *job, void (*add)(void *to, struct out *element), void *to)
{
	const struct job *j = job;
	struct jobs_result result = {};

	job_each(j, &result, add_job, &(struct sink){ add, to });
}

static struct out *layers_json(const struct job *j)
{
	struct out *o = out_object();

	for (int i = 0; i < JOB_LAYERS; i++)
		out_put(o, i < LAYERS ? layer_names[i] : "servers",
			j->of[i].layer ? character_json(&j->of[i]) : NULL);
	return o;
}

struct out *job_document(const struct job *j)
{
	char *const none[] = { NULL };
	struct out *doc = out_object();

	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "characterize");
	put_title(doc, j);
	out_u64(doc, "elapsed_ns", j->elapsed_ns);
	out_str(doc, "source", j->is_log ? "counters" : "trace");
	out_words(doc, "inputs", j->live ? none : j->paths);
	out_words(doc, "argv", j->live);
	out_u64(doc, "start_ns", j->begin_ns);
	out_u64(doc, "from_ns", j->from_ns);
	out_u64(doc, "interval_ns", interval_ns(j));
	out_u64(doc, "small_bytes", j->small);
	out_u64(doc, "accesses_read", j->accesses);
	out_u64(doc, "samples_missing", j->log.missing);
	out_u64(doc, "counter_resets", j->log.resets);
	reading_notes(out_list(doc, "notes"), j);
	if (j->jobs) {
		out_null(doc, "jobs");
		distribution_json(doc, j);
	} else {
		conclude(doc, j);
		out_put(doc, "layers", layers_json(j));
	}
	evidence_json(doc, &j->evidence);
	return doc;
}

#define CRITERION COLUMN("criterion", .title = ""), COLUMN("title", .title = "")
#define BY_KEY(path, name) COLUMN(path, .title = name, .unit_of = "key")

static const struct view_column criteria[] = {
	CRITERION, BY_KEY("read", "read"), BY_KEY("write", "write"), BY_KEY("both", "both"), {},
};

static const struct view_column sizes[] = {
	COLUMN("from_bytes", .title = "size, at least"),
	COLUMN("read_requests", .title = "read"),
	COLUMN("write_requests", .title = "write"),
	{},
};

static const struct view_column servers[] = {
	COLUMN("server"), COLUMN("read_bytes", .title = "bytes read"),
	COLUMN("reads"),  COLUMN("write_bytes", .title = "bytes written"),
	COLUMN("writes"), {},
};

static const struct view_column distribution[] = {
	CRITERION,
	BY_KEY("read.p50", "read 50"),
	BY_KEY("read.p80", "80"),
	BY_KEY("write.p50", "write 50"),
	BY_KEY("write.p80", "80"),
	BY_KEY("both.p50", "both 50"),
	BY_KEY("both.p80", "80"),
	{},
};

#define CSV \
	COLUMN("criterion"), COLUMN("key"), COLUMN("threshold_bytes"), COLUMN("read"), \
		COLUMN("write"), COLUMN("both"), \
	{ \
	}

static const struct view_column layers_csv[] = { COLUMN("^layer"), CSV };
static const struct view_column jobs_csv_columns[] = { COLUMN("^job"), CSV };

static const struct view layer[] = {
	VIEW("syncs.sentence"),
	VIEW("criteria.*", .columns = criteria, .left = 2),
	VIEW("sizes.*", .columns = sizes),
	VIEW("servers.*", .columns = servers, .left = 1, .most = 20),
	VIEW("", .inner = workload_model_views),
	{},
};

const struct view job_views[] = {
	VIEW("conclusion"),
	VIEW("title", .is_head = true),
	VIEW("layers.*", .title = "{title}", .only_with = "title", .inner = layer),
	VIEW("", .inner = evidence_views),
	VIEW("layers.*.criteria.*", .columns = layers_csv, .is_csv = true, .is_hidden = true),
	VIEW("layers.*", .columns = layers_csv, .make = workload_model_rows, .is_csv = true,
	     .is_hidden = true),
	{},
};

const struct view jobs_views[] = {
	VIEW("conclusion"),
	VIEW("title", .is_head = true),
	VIEW("distribution.*", .columns = distribution, .left = 2,
	     .title = "percentiles over the jobs"),
	VIEW("", .inner = evidence_views),
	VIEW("jobs.*.criteria.*", .columns = jobs_csv_columns, .is_csv = true, .is_hidden = true),
	{},
};
