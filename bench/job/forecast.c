// SPDX-License-Identifier: GPL-2.0-or-later
/* Predicts the I/O time of a recorded job. T is the time in which at least one access was in
 * flight. W is the time in which the program waited for I/O. */
#include "bench/job/forecast.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"
#include "user/base/need.h"

/* If the benchmark did not vary the depth, a mean depth below this is taken as 1. */
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

/* Returns the predicted BPS (blocks per second) of the layer f->layer. If the model has no BPS,
 * converts the predicted bandwidth to blocks per second. */
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

static struct estimate per_rate(double amount, struct estimate rate)
{
	return (struct estimate){ amount / rate.value, amount / rate.high, amount / rate.low };
}

/* Returns the recorded T, multiplied by @home / @here. @home is the predicted rate of the disk on
 * which the job was recorded, @here that of another disk. The errors of both predictions are
 * assumed to be independent. */
static struct estimate relative(double recorded_ns, struct estimate home, struct estimate here)
{
	double off = exp(hypot(log(home.high / home.value), log(here.high / here.value)));
	double value = recorded_ns * home.value / here.value;

	return (struct estimate){ value, value / off, value * off };
}

static void make_part(const struct forecasts *f, struct forecast *of, u32 i)
{
	struct estimate rate = rate_at(f, of->m, &f->at[i]);
	struct prediction p = predict(of->m, &f->at[i]);
	struct forecast_part *part = &of->parts[i];

	part->outside = p.outside | p.unknown;
	if (f->at[i].v[PARAM_DEPTH] < NEARLY_ONE && !p.region->series[PARAM_DEPTH].n)
		part->outside &= ~(1U << PARAM_DEPTH);
	part->at_border = p.border;
	of->is_cached |= isnan(p.of[QUANTITY_BPS_DEVICE].value) &&
		!isnan(p.of[QUANTITY_BPS_VFS].value);
	if (f->home)
		part->span_ns = relative(f->recorded_ns[i], rate_at(f, f->home, &f->at[i]), rate);
	else
		part->span_ns =
			per_rate(1e9 * f->workload->behaviours.of[i].model.bytes / BPS_BLOCK, rate);
}

static bool predicts(const struct forecasts *f, const struct model *m)
{
	for (u32 i = 0; i < f->workload->behaviours.n; i++)
		if (isnan(rate_at(f, m, &f->at[i]).value))
			return false;
	return true;
}

/* Returns the recorded W, the time in which the program waited for vfs accesses. NaN: unknown. */
static double recorded_wait_ns(const struct forecasts *f)
{
	const struct job *j = f->job;

	if (f->layer == LAYER_APP || !j->of[LAYER_VFS].layer)
		return NAN;
	return cover_total_ns(&j->waiting);
}

/* Returns the part of W in which accesses of the layer were in flight. The prediction assumes that
 * this part changes by the same factor as T. */
static double changing_ns(const struct forecasts *f)
{
	const struct job *j = f->job;

	if (f->layer == LAYER_VFS)
		return f->recorded.span_ns.value;
	return (double)cover_total_ns(&j->waiting) + cover_total_ns(&j->working) -
		cover_total_ns(&j->either);
}

static double syncs_ns(const struct forecasts *f)
{
	const struct job *j = f->job;

	if (f->layer == LAYER_VFS)
		return f->recorded.wait_ns.value - f->recorded.span_ns.value;
	return (double)cover_total_ns(&j->syncing) - cover_total_ns(&j->working);
}

static struct estimate shifted(double by, double share, struct estimate e)
{
	return (struct estimate){ by + share * e.value, by + share * e.low, by + share * e.high };
}

/* Computes the predicted W, elapsed time and rates of @t from its predicted T. W is the time in
 * which the program waits for I/O. If W was not recorded, the program is assumed to wait for all of
 * T. */
static void follow(const struct forecasts *f, struct job_times *t)
{
	double recorded_ns = f->recorded.span_ns.value, wait_ns = recorded_wait_ns(f);
	double share = isnan(wait_ns) ? 1 : changing_ns(f) / recorded_ns;

	t->wait_ns = shifted(wait_ns - share * recorded_ns, share, t->span_ns);
	t->elapsed_ns = shifted(f->job->elapsed_ns - share * recorded_ns, share, t->span_ns);
	t->bps = per_rate(1e9 * f->workload->all.bytes / BPS_BLOCK, t->span_ns);
	t->bandwidth = per_rate(1e9 * f->workload->all.bytes, t->elapsed_ns);
}

static void make_forecast(const struct forecasts *f, struct forecast *of)
{
	struct estimate *all = &of->all.span_ns;
	double parts_ns = 0, overlap;

	for (u32 i = 0; i < f->workload->behaviours.n; i++) {
		const struct estimate *span = &of->parts[i].span_ns;

		make_part(f, of, i);
		parts_ns += f->recorded_ns[i];
		all->value += span->value;
		all->low += span->low;
		all->high += span->high;
	}
	overlap = f->recorded.span_ns.value / parts_ns;
	*all = shifted(0, overlap, *all);
	follow(f, &of->all);
}

static void take_recorded(struct forecasts *f)
{
	struct job_workload *w = &f->job->of[f->layer].requests->workload;
	double t = cover_total_ns(&w->all.busy);

	f->workload = w;
	for (u32 i = 0; i < w->behaviours.n; i++) {
		f->at[i] = workload_of(&w->behaviours.of[i].model);
		f->recorded_ns[i] = cover_total_ns(&w->behaviours.of[i].model.busy);
	}
	f->recorded.span_ns = (struct estimate){ t, t, t };
	follow(f, &f->recorded);
	f->syncs_ns = syncs_ns(f);
}

int forecasts_make(struct forecasts *f, struct model *const *models)
{
	f->of = need(calloc(f->n, sizeof(*f->of)));
	take_recorded(f);
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
