// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints many jobs. The distributions over the jobs follow the tables "Selected Results" of El
 * Sayed, Bolten, Pleiter and Frings (2016). */
#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/out.h"
#include "user/base/table.h"
#include "tools/characterize/spreads.h"
#include "tools/characterize/criteria.h"
#include "tools/characterize/character-show.h"
#include "tools/characterize/jobs-show.h"

#define NOTE_OUTSIDE "%llu job%s outside the time of the log, left out"
#define NOTE_UNKNOWN "%llu server%s named by jobs but not in the log, counted as idle"

/* ---- text ---- */

struct text {
	struct table *t;
	struct spreads *spreads;
};

static void spread_text(void *to, const struct character *c, const struct criterion *what, u32 t)
{
	struct text *text = to;
	char *title, buf[NUM_TEXT];

	if (!what->by_threshold)
		return;
	title = criterion_title(c, what, t);
	table_cell(text->t, "%s", what->number);
	table_cell(text->t, "%s", title);
	for (int d = 0; d < DIRECTIONS; d++) {
		const struct spread *s = &text->spreads->of[text->spreads->n * DIRECTIONS + d];

		table_cell(text->t, "%s", num_ratio_text(buf, spread_tenth(s, 5)));
		table_cell(text->t, "%s", num_ratio_text(buf, spread_tenth(s, 8)));
	}
	table_end_row(text->t);
	text->spreads->n++;
	free(title);
}

void jobs_text(FILE *f, const struct job *j)
{
	static const char *const titles[] = {
		"",  "percentile over the jobs", "read 50", "80", "write 50", "80", "both 50", "80",
		NULL
	};
	struct spreads s = spreads_of(j);
	struct text text = { table_titled(2, titles), &s };
	char buf[NUM_TEXT];

	fprintf(f, "\n%u job%s, intervals of %s\n\n", j->list.n - (u32)s.result.outside,
		num_word(j->list.n - s.result.outside, "", "s"),
		num_time_arg(buf, j->of[LAYERS].counters.interval_ns));
	criteria_each(&j->of[LAYERS], &text, spread_text);
	table_text(f, text.t, "  ");
	table_free(text.t);
	if (s.result.outside)
		note(f, NOTE_OUTSIDE, (unsigned long long)s.result.outside,
		     num_word(s.result.outside, "", "s"));
	if (s.result.unknown)
		note(f, NOTE_UNKNOWN, (unsigned long long)s.result.unknown,
		     num_word(s.result.unknown, "", "s"));
	spreads_release(&s);
}

/* ---- CSV ---- */

static void job_csv_lines(void *f, const struct character *c)
{
	struct table *t = table_new(0);

	character_csv(t, c);
	table_csv(f, t);
	table_free(t);
}

void jobs_csv(FILE *f, const struct job *j)
{
	const struct character *log = &j->of[LAYERS];
	struct table *t = character_csv_titles("job");
	struct jobs_result result = {};

	table_csv(f, t);
	table_free(t);
	jobs_each(&j->list, log, &result, job_csv_lines, f);
	if (result.outside)
		warn(NOTE_OUTSIDE, (unsigned long long)result.outside,
		     num_word(result.outside, "", "s"));
	if (result.unknown)
		warn(NOTE_UNKNOWN, (unsigned long long)result.unknown,
		     num_word(result.unknown, "", "s"));
}

/* ---- JSON ---- */

struct json {
	struct out *list;
	struct spreads *spreads;
};

static void spread_json(void *to, const struct character *c, const struct criterion *what, u32 t)
{
	struct json *json = to;
	struct out *o;

	if (!what->by_threshold)
		return;
	o = out_object();
	out_str(o, "criterion", what->number);
	out_str(o, "key", what->key);
	out_u64(o, "threshold_bytes", c->thresholds[t]);
	for (int d = 0; d < DIRECTIONS; d++) {
		const struct spread *s = &json->spreads->of[json->spreads->n * DIRECTIONS + d];
		struct out *one = out_object(), *tenths = out_array();

		out_u64(one, "job_count", s->n);
		for (u32 i = 1; s->n && i <= TENTHS; i++)
			out_append_f64(tenths, spread_tenth(s, i));
		out_put(one, "deciles", tenths);
		out_put(o, direction_names[d], one);
	}
	out_append(json->list, o);
	json->spreads->n++;
}

static void job_entry_json(void *list, const struct character *c)
{
	struct out *o = out_object();

	out_str(o, "job", c->layer);
	out_u64(o, "start_ns", c->counters.start_ns);
	out_u64(o, "elapsed_ns", c->elapsed_ns);
	out_u64(o, "intervals", c->counters.n);
	out_u64(o, "server_count", c->counters.servers_n);
	out_put(o, "criteria", character_criteria_json(c));
	out_append(list, o);
}

void jobs_json(struct out *doc, const struct job *j)
{
	const struct character *log = &j->of[LAYERS];
	struct spreads s = spreads_of(j);
	struct json json = { out_array(), &s };
	struct jobs_result result = {};
	struct out *list = out_array();

	criteria_each(log, &json, spread_json);
	out_put(doc, "distribution", json.list);
	out_u64(doc, "jobs_outside", s.result.outside);
	out_u64(doc, "servers_unknown", s.result.unknown);
	spreads_release(&s);
	jobs_each(&j->list, log, &result, job_entry_json, list);
	out_put(doc, "jobs", list);
}
