// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/compare/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"
#include "bench/compare/conditions.h"
#include "bench/compare/summary.h"
#include "user/base/num.h"
#include "user/base/out.h"
#include "user/base/table.h"
#include "bench/model/predict-show.h"

struct estimate versus_ratio(const struct versus *v, enum quantity q)
{
	const struct estimate *a = &v->a.of[q], *b = &v->b.of[q];

	return (struct estimate){ a->value / b->value, a->low / b->high, a->high / b->low };
}

enum winner versus_winner(const struct versus *v)
{
	double ratio = versus_ratio(v, QUANTITY_BANDWIDTH).value;

	return ratio > 1 ? WINNER_A : ratio < 1 ? WINNER_B : WINNER_NONE;
}

bool versus_is_real(const struct versus *v)
{
	struct estimate ratio = versus_ratio(v, QUANTITY_BANDWIDTH);

	return ratio.low > 1 || ratio.high < 1;
}

bool versus_has_band(const struct versus *v)
{
	return !isnan(versus_ratio(v, QUANTITY_BANDWIDTH).low);
}

void comparison_add(struct comparison *c, const char *name, const struct workload *w)
{
	struct versus *v;

	c->list = need(reallocarray(c->list, c->n + 1, sizeof(*c->list)));
	v = &c->list[c->n++];
	v->name = name;
	v->a = predict(c->a, w);
	/* v->a.at also has the parameters that were not given, so B gets exactly the same
	 * workload */
	v->b = predict(c->b, &v->a.at);
	if (name)
		c->named = c->n;
}

int comparison_draw(struct comparison *c, unsigned n, uint64_t seed)
{
	struct workload *random;

	c->seed = seed;
	for (enum parameter p = 0; p < PARAM_DEPTH; p++) {
		const struct range *a = &c->a->axes[p], *b = &c->b->axes[p];

		c->ranges[p] = (struct range){ fmax(a->min, b->min), fmin(a->max, b->max) };
		if (c->ranges[p].min > c->ranges[p].max)
			return error(-EINVAL, "'%s' and '%s' have no value of '%s' in common",
				     c->a->path, c->b->path, parameters[p].option);
	}
	c->ranges[PARAM_DEPTH] = (struct range){ 1, 1 };
	random = workloads_random(c->ranges, fmin(c->a->buffer_bytes, c->b->buffer_bytes), n, seed);
	for (unsigned i = 0; i < n; i++)
		comparison_add(c, NULL, &random[i]);
	free(random);
	return 0;
}

static const char *const winner_words[] = { NULL, "a", "b" };

/* ---- the comparison as text ---- */

static const char *versus_verdict(const struct versus *v)
{
	static const char *const real[] = { "alike", "A is faster", "B is faster" };

	if (isnan(versus_ratio(v, QUANTITY_BANDWIDTH).value))
		return "unknown";
	if (!versus_has_band(v))
		return "no band";
	return real[versus_is_real(v) ? versus_winner(v) : WINNER_NONE];
}

static void add_versus_cells(struct table *t, const char *name, const struct versus *v,
			     enum quantity q)
{
	struct estimate ratio = versus_ratio(v, q);
	const double shares[] = { ratio.value, ratio.low, ratio.high };
	char buf[NUM_TEXT];

	table_cell(t, "%s", name);
	table_cell(t, "%s", quantities[q].text(buf, v->a.of[q].value));
	table_cell(t, "%s", quantities[q].text(buf, v->b.of[q].value));
	for (int i = 0; i < 3; i++)
		table_cell(t, "%s", num_ratio_text(buf, shares[i]));
}

static void finish_table(FILE *f, struct table *t)
{
	table_text(f, t, "  ");
	table_free(t);
}

/* Prints the bandwidth of each workload that has a name. */
static void named_text(FILE *f, const struct comparison *c)
{
	static const char *const titles[] = {
		"bandwidth", "A", "B", "A/B", "low", "high", "", NULL
	};
	struct table *t = table_titled(1, titles);
	char text[WORKLOAD_TEXT];

	for (unsigned i = 0; i < c->named; i++) {
		add_versus_cells(t, c->list[i].name, &c->list[i], QUANTITY_BANDWIDTH);
		table_cell(t, "%s", versus_verdict(&c->list[i]));
		table_end_row(t);
	}
	finish_table(f, t);
	fputc('\n', f);
	for (unsigned i = 0; i < c->named; i++) {
		out_line_format(f, "  %s: %s", c->list[i].name,
				workload_text(text, &c->list[i].a.at));
		fputc('\n', f);
	}
}

/* Prints all quantities of one workload. */
static void one_text(FILE *f, const struct versus *v)
{
	static const char *const titles[] = { "", "A", "B", "A/B", "low", "high", NULL };
	struct table *t = table_titled(1, titles);
	char text[WORKLOAD_TEXT];

	fprintf(f, "%s\n\n", workload_text(text, &v->a.at));
	for (enum quantity q = 0; q < QUANTITIES; q++) {
		add_versus_cells(t, quantities[q].title, v, q);
		table_end_row(t);
	}
	finish_table(f, t);
	fprintf(f, "\n  bandwidth: %s\n", versus_verdict(v));
}

static void thirds_text(FILE *f, const struct comparison *c)
{
	static const char *const titles[] = { "median A/B", "lowest third", "middle third",
					      "highest third", NULL };
	struct table *t = table_titled(1, titles);
	char buf[NUM_TEXT];

	for (enum parameter p = 0; p < PARAM_DEPTH; p++) {
		table_cell(t, "%s", parameters[p].option);
		for (int i = 0; i < 3; i++) {
			struct summary s = summarize(c, p, third(c, p, i));

			table_cell(t, "%s", num_ratio_text(buf, s.ratio[QUARTILES / 2]));
		}
		table_end_row(t);
	}
	finish_table(f, t);
}

static void random_text(FILE *f, const struct comparison *c)
{
	static const char *const titles[] = { "A/B", "min", "25 %", "median", "75 %", "max", NULL };
	struct summary s = summarize_all(c);
	struct table *t = table_titled(1, titles);
	char buf[NUM_TEXT];

	fprintf(f, "\n%u random workloads in the ranges that both results cover, seed %llu\n\n",
		s.n, (unsigned long long)c->seed);
	table_cell(t, "bandwidth");
	for (int i = 0; i < QUARTILES; i++)
		table_cell(t, "%s", num_ratio_text(buf, s.ratio[i]));
	table_end_row(t);
	finish_table(f, t);
	fprintf(f,
		"\n  A is faster in %u, with separate bands in %u; B in %u, with separate bands in "
		"%u\n",
		s.faster[WINNER_A], s.real[WINNER_A], s.faster[WINNER_B], s.real[WINNER_B]);
	if (s.without_band)
		note(f, "%u workload%s without a band", s.without_band,
		     num_word(s.without_band, "", "s"));
	fputc('\n', f);
	thirds_text(f, c);
}

void comparison_text(FILE *f, const struct comparison *c)
{
	out_line_format(f, "A: %s", c->a->path);
	fputc('\n', f);
	out_line_format(f, "B: %s", c->b->path);
	fputs("\n\n", f);
	conditions_text(f, c->a, c->b);
	if (c->n == 1)
		one_text(f, &c->list[0]);
	else if (c->named)
		named_text(f, c);
	if (c->n > c->named)
		random_text(f, c);
}

/* ---- the comparison as JSON ---- */

static struct out *versus_json(const struct comparison *c, const struct versus *v)
{
	struct out *o = out_object(), *ratios = out_object();

	out_str(o, "name", v->name);
	out_put(o, "workload", workload_json(&v->a.at));
	for (enum quantity q = 0; q < QUANTITIES; q++) {
		struct estimate ratio = versus_ratio(v, q);

		out_put(ratios, quantities[q].key,
			isnan(ratio.value) ? NULL : estimate_json(&ratio));
	}
	out_put(o, "ratio", ratios);
	out_str(o, "faster", winner_words[versus_winner(v)]);
	if (versus_has_band(v))
		out_bool(o, "significant", versus_is_real(v));
	else
		out_null(o, "significant");
	out_put(o, "a", predict_json(c->a, &v->a));
	out_put(o, "b", predict_json(c->b, &v->b));
	return o;
}

static struct out *summary_json(const struct summary *s)
{
	static const char *const keys[QUARTILES] = {
		"ratio_min", "ratio_p25", "ratio_median", "ratio_p75", "ratio_max",
	};
	struct out *o = out_object();

	out_u64(o, "workload_count", s->n);
	out_u64(o, "a_faster", s->faster[WINNER_A]);
	out_u64(o, "a_faster_significant", s->real[WINNER_A]);
	out_u64(o, "b_faster", s->faster[WINNER_B]);
	out_u64(o, "b_faster_significant", s->real[WINNER_B]);
	out_u64(o, "workloads_without_band", s->without_band);
	for (int i = 0; i < QUARTILES; i++)
		out_f64(o, keys[i], s->ratio[i]);
	return o;
}

static struct out *random_json(const struct comparison *c)
{
	struct summary all = summarize_all(c);
	struct out *o = summary_json(&all), *thirds = out_object();

	out_u64(o, "seed", c->seed);
	for (enum parameter p = 0; p < PARAM_DEPTH; p++) {
		struct out *list = out_array();

		for (int i = 0; i < 3; i++) {
			struct summary s = summarize(c, p, third(c, p, i));

			out_append(list, summary_json(&s));
		}
		out_put(thirds, parameters[p].key, list);
	}
	out_put(o, "thirds", thirds);
	return o;
}

static struct out *model_json(const struct model *m)
{
	struct out *o = out_object();

	out_str(o, "result", m->path);
	out_str(o, "result_hash", out_get_str(m->doc, "hash"));
	out_bool(o, "complete", m->complete);
	out_share(o, "targets", out_get(m->doc, "targets"));
	return o;
}

struct out *comparison_json(const struct comparison *c)
{
	struct out *o = out_object(), *list = out_array();

	out_put(o, "a", model_json(c->a));
	out_put(o, "b", model_json(c->b));
	out_put(o, "conditions", conditions_json(c->a, c->b));
	for (unsigned i = 0; i < c->n; i++)
		out_append(list, versus_json(c, &c->list[i]));
	out_put(o, "workloads", list);
	out_put(o, "random", c->n > c->named ? random_json(c) : NULL);
	return o;
}
