// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/job/forecast.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"
#include "user/base/need.h"

/* A mean depth below this counts as 1 if the benchmark did not vary the depth. */
#define NEARLY_ONE 1.1

static struct workload workload_of(struct workload_model *w)
{
	return (struct workload){ {
		[PARAM_UNIQUE_BYTES] = extents_bytes(&w->extents),
		[PARAM_SIZE] = w->size_mean,
		[PARAM_READ] = (double)w->reads / w->n,
		[PARAM_SEQ] = (double)w->sequential / w->n,
		[PARAM_PROCS] = fmax(issuers_processes(&w->issuers), 1),
		[PARAM_DEPTH] = fmax(issuers_depth(&w->issuers), 1),
	} };
}

/* Returns the quantity of @p that is predicted, in blocks per second. */
static struct estimate rate_of(const struct forecasts *f, const struct prediction *p)
{
	struct estimate e =
		p->of[f->without_bps ? QUANTITY_BANDWIDTH : QUANTITY_BPS_APP + f->layer];
	double unit = f->without_bps ? BPS_BLOCK : 1;

	return (struct estimate){ e.value / unit, e.low / unit, e.high / unit };
}

static struct prediction at_depth(const struct model *m, struct workload w, double depth)
{
	w.v[PARAM_DEPTH] = depth;
	return predict(m, &w);
}

static double between(double a, double b, double part)
{
	return exp((1 - part) * log(a) + part * log(b));
}

/* Returns the predicted rate of @w, in blocks per second. Depths above 1 are measured by another
 * engine than depth 1. So the rate of a depth between 1 and 2, such as 1.01, is interpolated. */
static struct estimate rate_at(const struct forecasts *f, const struct model *m,
			       const struct workload *w)
{
	double depth = w->v[PARAM_DEPTH], part = fmin(log2(depth), 1);
	struct prediction one = at_depth(m, *w, 1), more;
	struct estimate a = rate_of(f, &one), b;

	if (depth == 1 || (depth < NEARLY_ONE && !one.region->series[PARAM_DEPTH].n))
		return a;
	more = at_depth(m, *w, fmax(depth, 2));
	b = rate_of(f, &more);
	return (struct estimate){ between(a.value, b.value, part), between(a.low, b.low, part),
				  between(a.high, b.high, part) };
}

/* Returns the value @v, and a band from @v / @factor to @v * @factor. */
static struct estimate with_factor(double v, double factor)
{
	return (struct estimate){ v, v / factor, v * factor };
}

/* Returns @amount / @rate. */
static struct estimate per_rate(double amount, struct estimate rate)
{
	return (struct estimate){ amount / rate.value, amount / rate.high, amount / rate.low };
}

/* Multiplies the recorded T by the ratio of the predicted rates. Their errors are assumed to be
 * independent. */
static struct estimate relative(double recorded_ns, struct estimate home, struct estimate here)
{
	double off = hypot(log(home.high / home.value), log(here.high / here.value));

	return with_factor(recorded_ns * home.value / here.value, exp(off));
}

static unsigned outside_of(const struct forecast *of, const struct workload *w)
{
	struct prediction p = predict(of->m, w);
	unsigned outside = p.outside | p.unknown;

	if (w->v[PARAM_DEPTH] < NEARLY_ONE && !p.region->series[PARAM_DEPTH].n)
		outside &= ~(1U << PARAM_DEPTH);
	return outside;
}

static void make_part(const struct forecasts *f, struct forecast *of, struct forecast_part *p,
		      struct behaviour *b)
{
	struct estimate rate;

	*p = (struct forecast_part){ .behaviour = b, .at = workload_of(&b->model) };
	p->outside = outside_of(of, &p->at);
	p->at_border = predict(of->m, &p->at).border;
	p->recorded_ns = cover_total_ns(&b->model.busy);
	rate = rate_at(f, of->m, &p->at);
	if (f->home)
		p->span_ns = relative(p->recorded_ns, rate_at(f, f->home, &p->at), rate);
	else
		p->span_ns = per_rate(1e9 * b->model.bytes / BPS_BLOCK, rate);
}

static const struct job_workload *workload(const struct forecasts *f)
{
	return &f->job->of[f->layer].requests->workload;
}

static bool predicts(const struct forecasts *f, const struct model *m)
{
	struct behaviours *b = &f->job->of[f->layer].requests->workload.behaviours;

	for (u32 i = 0; i < b->n; i++) {
		struct workload w = workload_of(&b->of[i].model);

		if (isnan(rate_at(f, m, &w).value))
			return false;
	}
	return true;
}

/* Returns W of the recording, which is that of vfs. NaN if it is unknown. */
static double recorded_wait_ns(const struct forecasts *f)
{
	const struct job *j = f->job;

	if (f->layer == LAYER_APP || !j->of[LAYER_VFS].layer)
		return NAN;
	return cover_total_ns(&j->waiting);
}

/* Returns the part of W that changes like T of the layer. */
static double changing_ns(const struct forecasts *f)
{
	const struct job *j = f->job;

	if (f->layer == LAYER_VFS)
		return f->recorded.span_ns.value;
	return (double)cover_total_ns(&j->waiting) + cover_total_ns(&j->working) -
		cover_total_ns(&j->either);
}

static struct estimate shifted(double by, double share, struct estimate e)
{
	return (struct estimate){ by + share * e.value, by + share * e.low, by + share * e.high };
}

/* Sets W, the elapsed time and the rates of @t from its T. Without W, the program is assumed to wait
 * for all of T. */
static void follow(const struct forecasts *f, struct job_times *t)
{
	double recorded_ns = f->recorded.span_ns.value, wait_ns = recorded_wait_ns(f);
	double share = isnan(wait_ns) ? 1 : changing_ns(f) / recorded_ns;

	t->wait_ns = shifted(wait_ns - share * recorded_ns, share, t->span_ns);
	t->elapsed_ns = shifted(f->job->elapsed_ns - share * recorded_ns, share, t->span_ns);
	t->bps = per_rate(1e9 * workload(f)->all.bytes / BPS_BLOCK, t->span_ns);
	t->bandwidth = per_rate(1e9 * workload(f)->all.bytes, t->elapsed_ns);
}

static void make_forecast(const struct forecasts *f, struct forecast *of)
{
	struct behaviours *b = &f->job->of[f->layer].requests->workload.behaviours;
	double parts_ns = 0, overlap;
	struct estimate *all = &of->all.span_ns;

	of->n = b->n;
	for (unsigned i = 0; i < of->n; i++) {
		struct forecast_part *p = &of->parts[i];

		make_part(f, of, p, &b->of[i]);
		parts_ns += p->recorded_ns;
		all->value += p->span_ns.value;
		all->low += p->span_ns.low;
		all->high += p->span_ns.high;
	}
	overlap = f->recorded.span_ns.value / parts_ns;
	*all = (struct estimate){ all->value * overlap, all->low * overlap, all->high * overlap };
	follow(f, &of->all);
}

int forecasts_make(struct forecasts *f, struct model *const *models)
{
	double t = cover_total_ns(&workload(f)->all.busy);

	f->of = need(calloc(f->n, sizeof(*f->of)));
	f->recorded.span_ns = (struct estimate){ t, t, t };
	follow(f, &f->recorded);
	for (unsigned i = 0; i < f->n; i++)
		if (!predicts(f, models[i]))
			f->without_bps = models[i];
	if (f->home && !predicts(f, f->home))
		f->without_bps = f->home;
	if (f->without_bps && !predicts(f, f->without_bps))
		return error(-ENODATA,
			     "'%s' predicts nothing for this job, because it has no curves; "
			     "continue its benchmark with 'iospan bench scale --resume'",
			     f->without_bps->path);
	for (unsigned i = 0; i < f->n; i++) {
		f->of[i].m = models[i];
		make_forecast(f, &f->of[i]);
	}
	return 0;
}

void forecasts_release(struct forecasts *f)
{
	free(f->of);
}
