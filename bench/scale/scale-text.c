// SPDX-License-Identifier: GPL-2.0-or-later
/* The report of bench scale as text. */
#include "bench/scale/scale-text.h"
#include "bench/load/others.h"

#include <math.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/out.h"
#include "user/base/table.h"
#include "user/show/show.h"
#include "bench/model/traits.h"
#include "bench/model/traits-show.h"

#define MOST_CONFIDENCE 0.9999

static const char *const titles[PARAMETERS] = {
	"uniqueBytes", "sizeMean", "readFrac", "seqFrac", "processNum", "depth",
};

/* ---- the table of a curve ---- */

static void remark_cell(struct table *t, const struct sample *p)
{
	const char *steady = p->steady ? "" : "not steady";

	if (p->others > OTHERS_DISTURB)
		table_cell(t, "%s%sothers %.0f %%", steady, *steady ? ", " : "", p->others * 100);
	else
		table_cell(t, "%s", steady);
}

static void sample_row(struct table *t, const struct sample *p, enum parameter along,
		       const char *mark)
{
	char text[NUM_TEXT];

	table_cell(t, "%s", mark);
	table_cell(t, "%s", parameter_text(text, along, p->at.v[along]));
	table_cell(t, "%s", num_byte_rate_text(text, p->bandwidth));
	table_per_cent(t, p->half_width);
	for (int layer = 0; layer < LAYERS; layer++)
		table_cell(t, "%s", num_count_text(text, layers_json_bps(p->layers, layer)));
	table_cell(t, "%s", num_count_text(text, p->iops));
	table_cell(t, "%s", num_time_text(text, p->latency_mean_ns));
	remark_cell(t, p);
	table_end_row(t);
}

static struct table *new_table(enum parameter along)
{
	const char *const columns[] = {
		"",	      titles[along], "bandwidth", "+-", "BPS app", "BPS vfs",
		"BPS device", "IOPS",	     "ARPT",	  "",	NULL,
	};

	return table_titled(1, columns);
}

/* Prints the curve @s. Marks the value of the focal point of @of with '*' and, if @marks_good, the
 * values in of->good with '|'. */
static void sweep_text(FILE *f, const struct sweep *s, const struct family *of, bool marks_good)
{
	const struct range *good = of ? &of->good[s->along] : NULL;
	struct table *t;

	if (!s->n)
		return;
	t = new_table(s->along);
	for (unsigned i = 0; i < s->n; i++) {
		double v = sweep_value(s, i);
		bool is_good = marks_good && good && v >= good->min && v <= good->max;

		sample_row(t, s->points[i], s->along,
			   of && v == of->focal.v[s->along] ? "*" :
				   is_good		    ? "|" :
							      "");
	}
	table_text(f, t, "  ");
	table_free(t);
	fputc('\n', f);
}

/* ---- the whole report ---- */

/* Returns the confidence as text. One above MOST_CONFIDENCE is shown as a lower limit, because it
 * would be rounded to 1. */
static const char *confidence_text(char buf[NUM_TEXT], double confidence)
{
	if (isnan(confidence))
		return "confidence unknown: its points were not steady";
	if (confidence > MOST_CONFIDENCE)
		snprintf(buf, NUM_TEXT, "confidence above %g", MOST_CONFIDENCE);
	else
		snprintf(buf, NUM_TEXT, "confidence %.4f", confidence);
	return buf;
}

static void border_text(FILE *f, const struct drop *d)
{
	char confidence[NUM_TEXT];
	char at[NUM_TEXT], from[NUM_TEXT], to[NUM_TEXT], least[NUM_TEXT], most[NUM_TEXT];

	fprintf(f, "  border at %s (%s to %s): performance falls between %s and %s, %s\n",
		parameter_text(at, PARAM_UNIQUE_BYTES, d->at),
		parameter_text(least, PARAM_UNIQUE_BYTES, d->band.min),
		parameter_text(most, PARAM_UNIQUE_BYTES, d->band.max),
		parameter_text(from, PARAM_UNIQUE_BYTES, d->from),
		parameter_text(to, PARAM_UNIQUE_BYTES, d->to),
		confidence_text(confidence, d->confidence));
}

static void sentence_text(void *f, const char *sentence)
{
	fprintf(f, "  %s\n", sentence);
}

static void focal_band_text(FILE *f, const struct scale_result *r, const struct family *of)
{
	struct range size = scale_focal_band(r, of, PARAM_SIZE);
	struct range procs = scale_focal_band(r, of, PARAM_PROCS);
	char least[NUM_TEXT], most[NUM_TEXT];

	fprintf(f,
		"  half-way performance (95 %% interval): requests of %s to %s, %.0f to %.0f "
		"processes\n",
		parameter_text(least, PARAM_SIZE, size.min),
		parameter_text(most, PARAM_SIZE, size.max), procs.min, procs.max);
}

/* Prints region @i. @m: model of the result; NULL while the result is not complete. */
static void family_text(FILE *f, const struct scale_result *r, unsigned i, const struct model *m)
{
	const struct evaluation *e = &r->evaluation;
	const struct family *of = &e->families[i];
	char from[NUM_TEXT], to[NUM_TEXT], focal[WORKLOAD_TEXT];

	fprintf(f, "\nregion %u: %s to %s\n  focal point (*): %s\n", i + 1,
		parameter_text(from, PARAM_UNIQUE_BYTES, of->bytes.min),
		parameter_text(to, PARAM_UNIQUE_BYTES, of->bytes.max),
		workload_text(focal, &of->focal));
	if (e->focal_kind == FOCAL_HALF)
		focal_band_text(f, r, of);
	fputc('\n', f);
	for (enum parameter p = 0; p < PARAMETERS; p++)
		sweep_text(f, &of->curves[p], of, e->focal_kind == FOCAL_75);
	if (m) {
		struct traits traits = traits_of(&m->regions[i]);

		traits_tell(&traits, sentence_text, f);
	}
}

const char *scale_budget_text(char buf[BUDGET_TEXT], u64 budget_ns)
{
	char budget[NUM_TEXT];

	buf[0] = '\0';
	if (budget_ns)
		snprintf(buf, BUDGET_TEXT, " of %s", num_time_arg(budget, budget_ns));
	return buf;
}

static void scale_head_text(FILE *f, const struct scale_result *r)
{
	const struct evaluation *e = &r->evaluation;
	char memory[NUM_TEXT], time[NUM_TEXT], budget[BUDGET_TEXT];

	fputc('\n', f);
	out_line_format(f, "bench scale %s: ", r->how.target);
	if (r->how.memory)
		fprintf(f, "%s of memory, ", num_size_arg(memory, r->how.memory));
	fprintf(f, "%s%u point%s in %s%s\n\n", r->how.direct ? "direct, " : "", e->points.n,
		num_word(e->points.n, "", "s"), num_time_text(time, r->elapsed_ns),
		scale_budget_text(budget, r->budget_ns));
}

static void unsteady_text(FILE *f, const struct samples *all)
{
	unsigned n = 0;

	for (unsigned i = 0; i < all->n; i++)
		n += !all->list[i]->steady;
	if (n)
		note(f, "%u of %u point%s not steady, with an interval of at least %.0f %%", n,
		     all->n, num_word(all->n, "", "s"), HALF_NOT_STEADY * 100);
}

void scale_text(FILE *f, const struct scale_result *r)
{
	struct model *m = r->complete ? model_of(scale_document(r), r->how.target) : NULL;
	const struct evaluation *e = &r->evaluation;

	scale_head_text(f, r);
	sweep_text(f, &e->sweep, NULL, false);
	for (unsigned i = 0; i < e->borders_n; i++)
		border_text(f, &e->borders[i]);
	if (!e->borders_n && e->families_n && e->focal_kind == FOCAL_HALF)
		fprintf(f, "  no border: the whole range is one region\n");
	for (unsigned i = 0; i < e->families_n; i++)
		family_text(f, r, i, m);
	model_free(m);
	unsteady_text(f, &e->points);
	if (r->layers && r->layers->m) {
		const struct report report = { .m = r->layers->m, .options = &r->layers->options };

		show_evidence_text(f, &report);
	}
	if (!r->complete)
		note(f, "incomplete result: %s", r->over ? "the budget is over" : "interrupted");
}
