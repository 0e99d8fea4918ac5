// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes the metrics of runs, their means and correlations, and the conclusion from all sets. */
#include "bench/sets/sets.h"

#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/out.h"

const struct sets_metric_row sets_metrics[SETS_METRICS] = {
	[SETS_TIME] = { "time_ns", "time", NULL, LAYER_APP, METRIC_TIME, 1 },
	[SETS_IOPS] = { "iops", "IOPS", "iops", LAYER_APP, METRIC_RATE, -1 },
	[SETS_BANDWIDTH_VFS] = { "bandwidth_vfs_bytes_per_second", "bandwidth vfs", KEY_BANDWIDTH,
				 LAYER_VFS, METRIC_BYTE_RATE, -1 },
	[SETS_BANDWIDTH_DEVICE] = { "bandwidth_device_bytes_per_second", "bandwidth device",
				    KEY_BANDWIDTH, LAYER_DEVICE, METRIC_BYTE_RATE, -1 },
	[SETS_ARPT] = { KEY_LATENCY_MEAN, "ARPT", KEY_LATENCY_MEAN, LAYER_APP, METRIC_TIME, 1 },
	[SETS_BPS_APP] = { "bps_app", "BPS app", "bps", LAYER_APP, METRIC_RATE, -1 },
	[SETS_BPS_VFS] = { "bps_vfs", "BPS vfs", "bps", LAYER_VFS, METRIC_RATE, -1 },
	[SETS_BPS_DEVICE] = { "bps_device", "BPS device", "bps", LAYER_DEVICE, METRIC_RATE, -1 },
};

/* Sets the elapsed time of all layers to @elapsed_ns, the execution time. So IOPS and bandwidth are
 * rates over the whole run, even if a layer is idle for a part of it. A layer without accesses has
 * no values. For example, a file system in memory causes no accesses of the device layer. */
void sets_take(struct sets_run *run, u64 elapsed_ns, const struct sum *const of[LAYERS])
{
	const struct sum *in_time[LAYERS] = {};
	struct sum sums[LAYERS];

	for (int layer = 0; layer < LAYERS; layer++) {
		if (!of[layer])
			continue;
		sums[layer] = *of[layer];
		sums[layer].elapsed_ns = elapsed_ns;
		in_time[layer] = &sums[layer];
	}
	for (enum sets_metric m = 0; m < SETS_METRICS; m++) {
		const struct sets_metric_row *row = &sets_metrics[m];
		const struct sum *sum = in_time[row->layer];

		run->value[m] = !row->of	 ? elapsed_ns :
			sum && sum->row.accesses ? metric_value(sum, row->of) :
						   NAN;
	}
	run->elapsed_ns = elapsed_ns;
	run->layers = sums_json(in_time);
}

/* Returns an array with the value of metric @m in each run of the case. The caller frees the
 * array. */
static double *run_values(const struct sets_case *c, enum sets_metric m)
{
	double *values = need(calloc(c->runs_n + 1, sizeof(*values)));

	for (unsigned i = 0; i < c->runs_n; i++)
		values[i] = c->runs[i].value[m];
	return values;
}

struct spread sets_spread(const struct sets_case *c, enum sets_metric m)
{
	double *values = run_values(c, m);
	struct spread s = { NAN, NAN };

	if (c->runs_n)
		s.mean = gsl_stats_mean(values, 1, c->runs_n);
	if (c->runs_n > 1)
		s.deviation = gsl_stats_sd(values, 1, c->runs_n);
	free(values);
	return s;
}

struct correlation sets_correlation(const struct sets_experiment *e, enum sets_metric m)
{
	struct repeated *points = need(calloc(e->cases_n + 1, sizeof(*points)));
	struct correlation c;

	for (unsigned i = 0; i < e->cases_n; i++)
		points[i] = (struct repeated){ run_values(&e->cases[i], SETS_TIME),
					       run_values(&e->cases[i], m), e->cases[i].runs_n };
	c = correlation_of_points(points, e->cases_n);
	for (unsigned i = 0; i < e->cases_n; i++) {
		free((double *)points[i].x);
		free((double *)points[i].y);
	}
	free(points);
	return correlation_normalised(c, sets_metrics[m].expected);
}

bool sets_is_uncertain(const struct sets_experiment *e, const struct correlation *c)
{
	return e->cases_n < 3 || (c->low <= 0 && c->high >= 0);
}

double sets_inverse_correlation(const struct sets_experiment *e)
{
	double time[e->cases_n + 1], rate[e->cases_n + 1];

	for (unsigned i = 0; i < e->cases_n; i++) {
		time[i] = sets_spread(&e->cases[i], SETS_TIME).mean;
		rate[i] = 1 / time[i];
	}
	return -correlation_pearson(e->cases_n, time, rate);
}

/* Returns the verdict on metric @m in set @kind, from figures 4 to 6, 9, 11 and 12 of He, Sun, Yin
 * 2013. */
enum sets_direction sets_in_paper(enum sets_kind kind, enum sets_metric m)
{
	static const unsigned misleads[SETS_KINDS] = {
		[SETS_SIZES] = 1u << SETS_IOPS | 1u << SETS_ARPT,
		[SETS_FILES] = 1u << SETS_ARPT,
		[SETS_SHARED] = 1u << SETS_ARPT,
		[SETS_SIEVING] = 1u << SETS_BANDWIDTH_VFS | 1u << SETS_BANDWIDTH_DEVICE,
	};

	if (kind >= SETS_COMMANDS || kind == SETS_CONTENDED || m == SETS_BPS_VFS ||
	    m == SETS_BPS_DEVICE)
		return SETS_UNSAID;
	return misleads[kind] & 1u << m ? SETS_MISLEADS : SETS_RIGHT;
}

/* Adds @more to *@text, with @between before it unless *@text is empty. */
static void append(char **text, const char *between, const char *more)
{
	char *before = *text;

	*text = need_text("%s%s%s", before, *before ? between : "", more);
	free(before);
}

/* Returns the sets in which @m misleads, such as "2, 4". If set 2 was run on several targets, it
 * occurs only once. Sets *@all to true if @m correlates with the execution time in all sets. A set
 * in which the direction is uncertain is not in the text, and makes *@all false. The caller frees
 * the text. */
static char *misleading_sets(const struct sets *s, enum sets_metric m, bool *all)
{
	enum sets_kind last = SETS_KINDS;
	char *text = need_text("%s", "");

	*all = true;
	for (unsigned i = 0; i < s->n; i++) {
		struct correlation c = sets_correlation(&s->list[i], m);
		bool certain = !sets_is_uncertain(&s->list[i], &c);

		*all &= certain && c.pearson > 0;
		if (!certain || !(c.pearson <= 0) || s->list[i].kind == last)
			continue;
		last = s->list[i].kind;
		append(&text, ", ", sets_names[last]);
	}
	return text;
}

char *sets_summary(const struct sets *s)
{
	char *right = need_text("%s", ""), *wrong = need_text("%s", ""), *text;
	unsigned n = 0;

	for (enum sets_metric m = SETS_TIME + 1; m < SETS_METRICS; m++) {
		bool all;
		char *where = misleading_sets(s, m, &all);
		char *entry = need_text("%s (%s)", sets_metrics[m].title, where);

		n += all;
		if (all)
			append(&right, ", ", sets_metrics[m].title);
		else if (*where)
			append(&wrong, ", ", entry);
		free(entry);
		free(where);
	}
	text = need_text("%s %s in all %u sets%s%s", n ? right : "no metric",
			 n == 1	   ? "is the only metric that follows the time" :
				 n ? "follow the time" :
				     "certainly follows the time",
			 s->n, *wrong ? "; mislead in some sets: " : "", wrong);
	free(right);
	free(wrong);
	return text;
}

/* Returns the times of set 4 in all ways of reading, and the fastest way. All times are for holes
 * of one size (case @k). @e[way] is the set of one way (enum sets_way). */
static struct out *ways_json(const struct sets_experiment *e, unsigned k)
{
	struct out *o = out_object(), *ways = out_object();
	const char *fastest = NULL;
	double least = NAN;

	out_str(o, "target", e->files[0]);
	out_u64(o, "process_count", e->cases[k].procs);
	out_u64(o, "spacing_bytes", e->cases[k].regions.spacing);
	for (enum sets_way way = 0; way < SETS_WAYS; way++) {
		double ns = sets_spread(&e[way].cases[k], SETS_TIME).mean;
		struct out *of = out_object();

		out_f64(of, "elapsed_ns", ns);
		out_f64(of, "bps", sets_spread(&e[way].cases[k], SETS_BPS_APP).mean);
		out_put(ways, sets_ways[way], of);
		if (!isnan(ns) && !(ns >= least)) {
			least = ns;
			fastest = sets_ways[way];
		}
	}
	out_put(o, "ways", ways);
	out_str(o, "fastest", fastest);
	return o;
}

struct out *sets_sieving_json(const struct sets *s)
{
	struct out *list = out_array();

	for (unsigned i = 0; i < s->n; i++) {
		if (s->list[i].kind != SETS_SIEVING)
			continue;
		for (unsigned k = 0; k < s->list[i].cases_n; k++)
			out_append(list, ways_json(&s->list[i], k));
		i += SETS_WAYS - 1;
	}
	return list;
}
