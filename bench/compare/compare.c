// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares the predictions for two systems, A and B. The band of a prediction is the range in which
 * a measurement is expected. */
#include "bench/compare/compare.h"

#include <errno.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "bench/compare/conditions.h"
#include "user/base/out-read.h"
#include "user/metric/metric.h"
#include "user/base/out.h"
#include "bench/model/predict-show.h"

/* Returns A's value / B's value, with the band of the quotient. */
static struct estimate versus_ratio(const struct versus *v, enum quantity q)
{
	const struct estimate *a = &v->a.of[q], *b = &v->b.of[q];

	return (struct estimate){ a->value / b->value, a->low / b->high, a->high / b->low };
}

/* The system for which a higher bandwidth is predicted. */
enum winner { WINNER_NONE, WINNER_A, WINNER_B };

static enum winner versus_winner(const struct versus *v)
{
	double ratio = versus_ratio(v, QUANTITY_BANDWIDTH).value;

	return ratio > 1 ? WINNER_A : ratio < 1 ? WINNER_B : WINNER_NONE;
}

/* Returns true if the bands of the two predicted bandwidths do not overlap. If they overlap,
 * prediction errors may explain the difference. */
static bool versus_is_real(const struct versus *v)
{
	struct estimate ratio = versus_ratio(v, QUANTITY_BANDWIDTH);

	return ratio.low > 1 || ratio.high < 1;
}

static bool versus_has_band(const struct versus *v)
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
	/* v->a.at is the workload @w; predict() has filled in its missing parameters. So B gets the
	 * same workload as A. */
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

static const char *versus_verdict(const struct versus *v)
{
	static const char *const real[] = { "alike", "A is faster", "B is faster" };

	if (isnan(versus_ratio(v, QUANTITY_BANDWIDTH).value))
		return "unknown";
	if (!versus_has_band(v))
		return "no band";
	return real[versus_is_real(v) ? versus_winner(v) : WINNER_NONE];
}

static struct out *ratio_json(const struct versus *v, enum quantity q)
{
	struct estimate ratio = versus_ratio(v, q);
	struct out *o;

	if (isnan(ratio.value))
		return NULL;
	o = estimate_json(&ratio);
	out_f64(o, "a", v->a.of[q].value);
	out_f64(o, "b", v->b.of[q].value);
	return o;
}

static struct out *versus_json(const struct comparison *c, const struct versus *v)
{
	struct out *o = out_object(), *ratios = out_object();
	char text[WORKLOAD_TEXT];

	out_str(o, "name", v->name);
	out_put(o, "workload", workload_json(&v->a.at));
	out_str(o, "description", v->name ? workload_text(text, &v->a.at) : NULL);
	for (enum quantity q = 0; q < QUANTITIES; q++)
		out_put(ratios, quantities[q], ratio_json(v, q));
	out_put(o, "ratio", ratios);
	out_str(o, "verdict", versus_verdict(v));
	out_str(o, "faster", winner_words[versus_winner(v)]);
	if (versus_has_band(v))
		out_bool(o, "significant", versus_is_real(v));
	else
		out_null(o, "significant");
	out_put(o, "a", predict_json(c->a, &v->a));
	out_put(o, "b", predict_json(c->b, &v->b));
	return o;
}

#define QUARTILES 5

struct summary {
	unsigned n; /* number of random workloads for which both predictions exist */
	/* Numbers of workloads, indexed by enum winner. .faster: this winner has the higher
	 * predicted bandwidth. .real: in addition, the bands of A and B do not overlap. */
	unsigned faster[3], real[3];
	unsigned without_band;
	/* bandwidth of A / bandwidth of B: minimum, quartiles, maximum; NaN if .n is 0 */
	double ratio[QUARTILES];
};

/* Divides the range of parameter @p into three parts. Returns the lowest part if @i is 0, the
 * middle if @i is 1, and the highest if @i is 2. The bounds are positions on the axis of @p
 * (parameter_axis()). */
static struct range third(const struct comparison *c, enum parameter p, int i)
{
	double low = parameter_axis(p, c->ranges[p].min);
	double high = parameter_axis(p, c->ranges[p].max), step = (high - low) / 3;

	return (struct range){ low + i * step, low + (i + 1) * step };
}

static void count_versus(struct summary *s, const struct versus *v)
{
	enum winner winner = versus_winner(v);

	s->faster[winner]++;
	s->real[winner] += versus_is_real(v);
	s->without_band += !versus_has_band(v);
}

/* Summarizes the random workloads in which parameter @p is in the range @r. The bounds of @r are
 * positions on the axis of @p, as parameter_axis() returns them, such as logarithms of sizes. */
static struct summary summarize(const struct comparison *c, enum parameter p, struct range r)
{
	double *ratios = need(calloc(c->n + 1, sizeof(*ratios)));
	struct summary s = {};

	for (unsigned i = c->named; i < c->n; i++) {
		const struct versus *v = &c->list[i];
		double at = parameter_axis(p, v->a.at.v[p]);
		double ratio = versus_ratio(v, QUANTITY_BANDWIDTH).value;

		if (isnan(ratio) || at < r.min || at > r.max)
			continue;
		ratios[s.n++] = ratio;
		count_versus(&s, v);
	}
	gsl_sort(ratios, 1, s.n);
	for (int i = 0; i < QUARTILES; i++)
		s.ratio[i] = s.n ? gsl_stats_quantile_from_sorted_data(ratios, 1, s.n, i / 4.0) :
				   NAN;
	free(ratios);
	return s;
}

static struct summary summarize_all(const struct comparison *c)
{
	return summarize(c, PARAM_READ, (struct range){ -HUGE_VAL, HUGE_VAL });
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
	static const char *const names[] = { "lowest", "middle", "highest" };
	struct summary all = summarize_all(c);
	struct out *o = summary_json(&all), *thirds = out_object();

	out_u64(o, "seed", c->seed);
	for (enum parameter p = 0; p < PARAM_DEPTH; p++) {
		struct out *of = out_object();

		for (int i = 0; i < 3; i++) {
			struct summary s = summarize(c, p, third(c, p, i));

			out_put(of, names[i], summary_json(&s));
		}
		out_put(thirds, parameters[p].key, of);
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

/* Adds a conclusion about one workload. If it has no band, names the parameters that are the
 * reason. */
static void conclude_one(struct out *doc, const struct versus *v)
{
	char *a = outside_text(&v->a), *b = outside_text(&v->b), ratio[NUM_TEXT];

	out_strf(doc, "conclusion", "%s: %s, A/B is %s%s%s%s%s", v->name, versus_verdict(v),
		 num_ratio_text(ratio, versus_ratio(v, QUANTITY_BANDWIDTH).value),
		 a ? "; not measured on A: " : "", a ?: "", b ? "; not measured on B: " : "",
		 b ?: "");
	free(a);
	free(b);
}

/* Adds a conclusion from the random workloads. If there are no random workloads, the conclusion is
 * about the first named workload. */
static void put_conclusion(struct out *doc, const struct comparison *c)
{
	struct summary s = summarize_all(c);
	enum winner first = s.faster[WINNER_A] < s.faster[WINNER_B] ? WINNER_B : WINNER_A;
	enum winner second = first == WINNER_A ? WINNER_B : WINNER_A;

	if (c->n == c->named)
		conclude_one(doc, &c->list[0]);
	else if (!s.n)
		out_str(doc, "conclusion", "no random workload is predicted by both results");
	else
		out_strf(doc, "conclusion",
			 "%c is faster in %u of %u random workloads (with separate bands in %u), "
			 "%c in %u (%u); the median of A/B is %.3g",
			 "-AB"[first], s.faster[first], s.n, s.real[first], "-AB"[second],
			 s.faster[second], s.real[second], s.ratio[QUARTILES / 2]);
}

struct out *comparison_document(const struct comparison *c)
{
	struct out *doc = out_object(), *o = out_object(), *list = out_array();

	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "compare");
	out_null(doc, "elapsed_ns");
	put_conclusion(doc, c);
	out_put(o, "a", model_json(c->a));
	out_put(o, "b", model_json(c->b));
	out_put(o, "conditions", conditions_json(c->a, c->b));
	for (unsigned i = 0; i < c->n; i++)
		out_append(list, versus_json(c, &c->list[i]));
	out_put(o, "workloads", list);
	out_put(o, "random", c->n > c->named ? random_json(c) : NULL);
	out_put(doc, "comparison", o);
	return doc;
}

#define RATIO(member) "ratio." KEY_BANDWIDTH "." member

static const struct view_column conditions[] = {
	COLUMN("@", .title = "condition", .kind = VIEW_NAME),
	COLUMN("a", .title = "A", .none = "none"),
	COLUMN("b", .title = "B", .none = "none"),
	COLUMN("differs", .title = "", .mark = "differs"),
	COLUMN("unfair", .title = "", .mark = "unfair"),
	{},
};

static const struct view_column named[] = {
	COLUMN("name", .title = "bandwidth"),
	COLUMN("verdict", .title = ""),
	COLUMN(RATIO("a"), .title = "A"),
	COLUMN(RATIO("b"), .title = "B"),
	COLUMN_OF(RATIO("value"), "A/B", VIEW_RATIO),
	COLUMN_OF(RATIO("low"), "low", VIEW_RATIO),
	COLUMN_OF(RATIO("high"), "high", VIEW_RATIO),
	{},
};

static const struct view_column quantities_of_one[] = {
	COLUMN_OF("@", "", VIEW_NAME),
	COLUMN("a", .title = "A"),
	COLUMN("b", .title = "B"),
	COLUMN_OF("value", "A/B", VIEW_RATIO),
	COLUMN_OF("low", "low", VIEW_RATIO),
	COLUMN_OF("high", "high", VIEW_RATIO),
	{},
};

static const struct view_column summary[] = {
	COLUMN("ratio_min", .title = "min"),	   COLUMN("ratio_p25", .title = "25 %"),
	COLUMN("ratio_median", .title = "median"), COLUMN("ratio_p75", .title = "75 %"),
	COLUMN("ratio_max", .title = "max"),	   {},
};

static const struct view_column thirds[] = {
	COLUMN_OF("@", "median A/B", VIEW_NAME),
	COLUMN_OF("lowest.ratio_median", "lowest third", VIEW_RATIO),
	COLUMN_OF("middle.ratio_median", "middle third", VIEW_RATIO),
	COLUMN_OF("highest.ratio_median", "highest third", VIEW_RATIO),
	{},
};

static const struct view_column csv[] = {
	COLUMN("name"),
	COLUMN("verdict"),
	COLUMN("workload.unique_bytes"),
	COLUMN("workload.size_bytes"),
	COLUMN("workload.read_fraction"),
	COLUMN("workload.sequential_fraction"),
	COLUMN("workload.process_count"),
	COLUMN("workload.depth"),
	COLUMN(RATIO("a")),
	COLUMN(RATIO("b")),
	COLUMN(RATIO("value")),
	COLUMN(RATIO("low")),
	COLUMN(RATIO("high")),
	{},
};

#define WORKLOADS "comparison.workloads.*"
#define CONDITIONS \
	VIEW("conclusion"), VIEW("comparison.a.result", .title = "A"), \
		VIEW("comparison.b.result", .title = "B"), \
		VIEW("comparison.conditions.*", .columns = conditions, .left = 5)
#define CSV VIEW(WORKLOADS, .columns = csv, .is_csv = true, .is_hidden = true)

static const struct view one_workload[] = {
	CONDITIONS,
	VIEW(WORKLOADS ".description"),
	VIEW(WORKLOADS ".ratio.*", .columns = quantities_of_one, .left = 1),
	VIEW(WORKLOADS ".verdict", .title = "bandwidth"),
	CSV,
	{},
};

static const struct view workloads[] = {
	CONDITIONS,
	VIEW(WORKLOADS, .columns = named, .left = 2, .only_with = "name"),
	VIEW(WORKLOADS ".description"),
	VIEW("comparison.random", .columns = summary,
	     .title = "A/B of random workloads in the ranges that both results cover"),
	VIEW("comparison.random.thirds.*", .columns = thirds, .left = 1),
	CSV,
	{},
};

const struct view *comparison_views(const struct comparison *c)
{
	return c->n == 1 ? one_workload : workloads;
}
