// SPDX-License-Identifier: GPL-2.0-or-later
/* The report of bench sets as text. */
#include "bench/sets/sets-text.h"
#include "bench/sets/sets-metric.h"

#include <math.h>

#include "bench/load/others.h"
#include "user/base/err.h"
#include "user/base/num.h"
#include "user/show/show.h"
#include "user/base/table.h"

/* Adds a cell with the mean and the deviation, such as "5156 +-1.2 %". */
static void spread_cell(struct table *t, struct spread s, enum metric_kind kind)
{
	char text[NUM_TEXT];

	if (isnan(s.deviation) || !(s.mean > 0))
		table_cell(t, "%s", metric_kind_text(text, kind, s.mean));
	else
		table_cell(t, "%s +-%.1f %%", metric_kind_text(text, kind, s.mean),
			   s.deviation / s.mean * 100);
}

static void cases_text(FILE *f, const struct sets_experiment *e)
{
	struct table *t = table_new(1);

	table_cell(t, "%s", "");
	for (enum sets_metric m = 0; m < SETS_METRICS; m++)
		table_cell(t, "%s", sets_metrics[m].title);
	table_end_row(t);
	for (unsigned i = 0; i < e->cases_n; i++) {
		table_cell(t, "%s", e->cases[i].name);
		for (enum sets_metric m = 0; m < SETS_METRICS; m++)
			spread_cell(t, sets_spread(&e->cases[i], m), sets_metrics[m].kind);
		table_end_row(t);
	}
	table_text(f, t, "  ");
	table_free(t);
}

static void coefficient_cell(struct table *t, double r)
{
	if (isnan(r))
		table_cell(t, "-");
	else
		table_cell(t, "%.2f", r);
}

/* Adds a cell that compares the direction of the correlation with that in the paper. Adds ",
 * perhaps" if the interval contains 0, because the direction is then not certain. */
static void verdict_cell(struct table *t, const struct sets_experiment *e, enum sets_metric m,
			 const struct correlation *c)
{
	static const char *const words[] = { "right", "misleads" };
	enum sets_direction paper = sets_in_paper(e->kind, m);
	enum sets_direction here = c->pearson > 0 ? SETS_RIGHT : SETS_MISLEADS;

	if (isnan(c->pearson))
		table_cell(t, "%s", "");
	else
		table_cell(t, "%s%s%s%s", words[here],
			   c->low <= 0 && c->high >= 0 ? ", perhaps" : "",
			   paper != SETS_UNSAID && paper != here ? "; in the paper: " : "",
			   paper != SETS_UNSAID && paper != here ? words[paper] : "");
}

/* Prints the correlation of each metric with the execution time:
 *
 * with the time     CC    low   high  Spearman
 * IOPS           -0.62  -0.63  -0.61     -0.95  misleads
 * ARPT            0.88   0.81   0.94      0.89  right; in the paper: misleads */
static void correlations_text(FILE *f, const struct sets_experiment *e)
{
	static const char *const titles[] = {
		"with the time", "CC", "low", "high", "Spearman", "", NULL,
	};
	struct table *t = table_titled(1, titles);

	for (enum sets_metric m = SETS_TIME + 1; m < SETS_METRICS; m++) {
		struct correlation c = sets_correlation(e, m);

		table_cell(t, "%s", sets_metrics[m].title);
		coefficient_cell(t, c.pearson);
		coefficient_cell(t, c.low);
		coefficient_cell(t, c.high);
		coefficient_cell(t, c.spearman);
		verdict_cell(t, e, m, &c);
		table_end_row(t);
	}
	table_text(f, t, "  ");
	table_free(t);
}

static void regions_text(FILE *f, const struct sets_options *how)
{
	char buffer[NUM_TEXT];

	fprintf(f, ", regions of %llu bytes, ", (unsigned long long)how->region);
	if (how->collective)
		fprintf(f, "collective buffers of %s", num_size_arg(buffer, how->collective_bytes));
	else if (how->buffer)
		fprintf(f, "a sieve buffer of %s", num_size_arg(buffer, how->buffer));
	else
		fputs("one request each", f);
}

void sets_heading(FILE *f, const struct sets *s, const struct sets_experiment *e)
{
	const struct sets_case *c = e->cases;
	char size[NUM_TEXT], bytes[NUM_TEXT];

	fprintf(f, "set %s: %s", sets_names[e->kind], sets_titles[e->kind]);
	if (e->kind == SETS_COMMANDS)
		return;
	fprintf(f, "; %s", num_bytes_text(bytes, c->bytes));
	if (e->kind != SETS_DEVICES)
		out_line_format(f, " in %s", e->files[0]);
	if (e->kind == SETS_SIEVING)
		regions_text(f, &s->how);
	else if (e->kind != SETS_SIZES)
		fprintf(f, " in requests of %s", num_size_arg(size, c->size));
}

static void experiment_text(FILE *f, const struct sets_experiment *e)
{
	double inverse = sets_inverse_correlation(e);

	cases_text(f, e);
	fputc('\n', f);
	correlations_text(f, e);
	if (!isnan(inverse))
		fprintf(f, "  an ideal rate, 1 / time, has a CC of %.2f\n", inverse);
}

static bool is_disturbed(const struct sets_run *r)
{
	return r->others > OTHERS_DISTURB;
}

static bool has_lost(const struct sets_run *r)
{
	return r->lost;
}

static void runs_note(FILE *f, const struct sets *s, bool (*has)(const struct sets_run *r),
		      const char *what)
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
		note(f, "in %u of %u run%s %s", n, all, num_word(all, "", "s"), what);
}

void sets_text(FILE *f, const struct sets *s)
{
	char elapsed[NUM_TEXT], busy[80];

	fprintf(f, "\nbench sets: %llu run%s of each case, ", (unsigned long long)s->how.runs,
		s->how.runs > 1 ? "s" : "");
	if (s->targets)
		fprintf(f, "%g of the paper's data, ", s->how.scale);
	fprintf(f, "%s\n", num_time_text(elapsed, s->elapsed_ns));
	for (unsigned i = 0; i < s->n; i++) {
		fputc('\n', f);
		sets_heading(f, s, &s->list[i]);
		fputs("\n\n", f);
		experiment_text(f, &s->list[i]);
	}
	fputc('\n', f);
	snprintf(busy, sizeof(busy), "other programs used more than %.0f %% of the CPU time",
		 OTHERS_DISTURB * 100);
	runs_note(f, s, is_disturbed, busy);
	runs_note(f, s, has_lost, "some accesses were lost; see the losses in --json");
	if (!s->targets && !s->how.drop_caches)
		note(f, "caches were not flushed; use --drop-caches");
	if (!s->complete)
		note(f, "incomplete result: some runs are missing");
	if (s->layers.m) {
		const struct report report = { .m = s->layers.m, .options = &s->layers.options };

		show_evidence_text(f, &report);
	}
}
