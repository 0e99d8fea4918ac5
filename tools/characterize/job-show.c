// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/characterize/job-show.h"

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/seal.h"
#include "tools/characterize/character-show.h"
#include "tools/characterize/jobs-show.h"
#include "user/base/table.h"

/* ---- notes ---- */

static void notes_each(const struct job *j, void (*note)(void *arg, const char *text), void *arg)
{
	char text[200];

	if (j->log.missing) {
		snprintf(text, sizeof(text),
			 "%llu sample%s missing (one per server and interval), "
			 "counted as no I/O",
			 (unsigned long long)j->log.missing, num_word(j->log.missing, "", "s"));
		note(arg, text);
	}
	if (j->log.resets) {
		snprintf(text, sizeof(text), "counters were reset to 0 %llu time%s",
			 (unsigned long long)j->log.resets, num_word(j->log.resets, "", "s"));
		note(arg, text);
	}
	if (j->late) {
		snprintf(text, sizeof(text),
			 "%llu access%s processed after one that starts later: "
			 "patterns and concurrency are not exact",
			 (unsigned long long)j->late, num_word(j->late, "", "es"));
		note(arg, text);
	}
}

static void note_text(void *f, const char *text)
{
	note(f, "%s", text);
}

static void note_warn(void *arg, const char *text)
{
	warn("%s", text);
}

static void note_json(void *list, const char *text)
{
	out_append_str(list, text);
}

/* ---- text, CSV, JSON ---- */

static u64 interval_ns(const struct job *j)
{
	for (int i = 0; i < JOB_LAYERS; i++)
		if (j->of[i].layer)
			return j->of[i].counters.interval_ns;
	return j->interval_ns;
}

void job_text(FILE *f, const struct job *j)
{
	char elapsed[NUM_TEXT], n[NUM_TEXT];

	fputc('\n', f);
	for (char *const *p = j->live ?: j->paths; *p; p++) {
		out_line_text(f, *p);
		fputs(p[1] ? " " : "", f);
	}
	fprintf(f, ": %s elapsed", num_time_text(elapsed, j->elapsed_ns));
	if (!j->is_log)
		fprintf(f, ", %s access%s read", num_count_text(n, j->accesses),
			num_word(j->accesses, "", "es"));
	fputc('\n', f);
	if (j->jobs)
		jobs_text(f, j);
	for (int i = 0; i < JOB_LAYERS; i++)
		if (j->of[i].layer && !j->jobs)
			character_text(f, &j->of[i]);
	fputc('\n', f);
	notes_each(j, note_text, f);
	evidence_text(f, &j->evidence);
}

static void job_layers_csv(FILE *f, const struct job *j)
{
	struct table *t = character_csv_titles("layer");

	for (int i = 0; i < JOB_LAYERS; i++)
		if (j->of[i].layer)
			character_csv(t, &j->of[i]);
	table_csv(f, t);
	table_free(t);
}

void job_csv(FILE *f, const struct job *j)
{
	(j->jobs ? jobs_csv : job_layers_csv)(f, j);
	notes_each(j, note_warn, NULL);
	evidence_warn(&j->evidence);
}

static struct out *job_layers_json(const struct job *j)
{
	struct out *o = out_object();

	for (int i = 0; i < JOB_LAYERS; i++)
		out_put(o, i < LAYERS ? layer_names[i] : "servers",
			j->of[i].layer ? character_json(&j->of[i]) : NULL);
	return o;
}

int job_json(FILE *f, const struct job *j)
{
	char *const none[] = { NULL };
	struct out *doc, *notes;

	if (j->list.n > JOBS_JSON)
		return error(-E2BIG, "%u jobs are too many for JSON (at most %u); use --csv",
			     j->list.n, JOBS_JSON);
	doc = out_object();
	notes = out_array();
	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "characterize");
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
	if (j->jobs)
		jobs_json(doc, j);
	else
		out_put(doc, "layers", job_layers_json(j));
	notes_each(j, note_json, notes);
	out_put(doc, "reading_notes", notes);
	evidence_json(doc, &j->evidence);
	seal_json(f, doc);
	return 0;
}
