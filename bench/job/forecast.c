// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/job/forecast.h"

#include <math.h>

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

/* Returns BPS of @layer. Sets *@by_bandwidth if it follows from the bandwidth. */
static struct estimate bps_of(const struct prediction *p, enum layer layer, bool *by_bandwidth)
{
	struct estimate bps = p->of[QUANTITY_BPS_APP + layer];

	if (!isnan(bps.value))
		return bps;
	*by_bandwidth = true;
	bps = p->of[QUANTITY_BANDWIDTH];
	return (struct estimate){ bps.value / BPS_BLOCK, bps.low / BPS_BLOCK,
				  bps.high / BPS_BLOCK };
}

/* Returns the value @v, and a band from @v / @factor to @v * @factor. */
static struct estimate with_factor(double v, double factor)
{
	return (struct estimate){ v, v / factor, v * factor };
}

/* Multiplies the recorded T by the ratio of the predictions. The errors of both are assumed to be
 * independent. */
static struct estimate relative(double recorded_ns, struct estimate home, struct estimate here)
{
	double off = hypot(log(home.high / home.value), log(here.high / here.value));

	return with_factor(recorded_ns * home.value / here.value, exp(off));
}

static void make_part(struct forecast *f, struct forecast_part *p, enum layer layer)
{
	struct workload_model *of = &p->behaviour->model;
	struct workload w = workload_of(of);
	double blocks = (double)of->bytes / BPS_BLOCK;
	struct prediction home;
	struct estimate bps;

	p->here = predict(f->m, &w);
	bps = bps_of(&p->here, layer, &f->by_bandwidth);
	p->recorded_ns = cover_total_ns(&of->busy);
	p->span_ns = (struct estimate){ 1e9 * blocks / bps.value, 1e9 * blocks / bps.high,
					1e9 * blocks / bps.low };
	if (!f->home)
		return;
	home = predict(f->home, &w);
	p->span_ns = relative(p->recorded_ns, bps_of(&home, layer, &f->by_bandwidth), bps);
}

static double moved(const struct job *j, enum layer layer)
{
	return j->of[layer].requests->workload.all.bytes;
}

static double waited_ns(const struct job *j)
{
	return j->of[LAYER_VFS].layer ? cover_total_ns(&j->waiting) : NAN;
}

/* Returns the part of W in which the device works. */
static double together_ns(const struct job *j)
{
	return (double)cover_total_ns(&j->waiting) + cover_total_ns(&j->working) -
		cover_total_ns(&j->either);
}

static void set_rates(struct forecast *f, double bytes)
{
	const struct estimate *t = &f->span_ns, *e = &f->elapsed_ns;

	f->bps = (struct estimate){ 1e9 * bytes / BPS_BLOCK / t->value,
				    1e9 * bytes / BPS_BLOCK / t->high,
				    1e9 * bytes / BPS_BLOCK / t->low };
	f->bandwidth = (struct estimate){ 1e9 * bytes / e->value, 1e9 * bytes / e->high,
					  1e9 * bytes / e->low };
}

/* Returns W if T of the layer changes from @recorded_ns to @span_ns. */
static double wait_ns(const struct job *j, enum layer layer, double recorded_ns, double span_ns)
{
	double changes = layer == LAYER_DEVICE ? together_ns(j) / recorded_ns : 1;

	return waited_ns(j) + changes * (span_ns - recorded_ns);
}

/* The program is assumed to wait for all of T if the trace does not show for which part it does. */
static double elapsed_ns(const struct job *j, enum layer layer, double recorded_ns, double span_ns)
{
	double more = isnan(waited_ns(j)) ? span_ns - recorded_ns :
					    wait_ns(j, layer, recorded_ns, span_ns) - waited_ns(j);

	return j->elapsed_ns + more;
}

void forecast_recorded(struct forecast *f, const struct job *j, enum layer layer)
{
	double t = cover_total_ns(&j->of[layer].requests->workload.all.busy);

	f->span_ns = (struct estimate){ t, t, t };
	f->wait_ns = (struct estimate){ waited_ns(j), waited_ns(j), waited_ns(j) };
	f->elapsed_ns = (struct estimate){ j->elapsed_ns, j->elapsed_ns, j->elapsed_ns };
	set_rates(f, moved(j, layer));
}

static struct estimate mapped(struct estimate t, const struct job *j, enum layer layer,
			      double recorded_ns,
			      double (*fn)(const struct job *, enum layer, double, double))
{
	return (struct estimate){ fn(j, layer, recorded_ns, t.value),
				  fn(j, layer, recorded_ns, t.low),
				  fn(j, layer, recorded_ns, t.high) };
}

void forecast_make(struct forecast *f, struct job *j, enum layer layer, const struct model *m,
		   const struct model *home)
{
	struct job_workload *w = &j->of[layer].requests->workload;
	double recorded_ns = cover_total_ns(&w->all.busy);

	*f = (struct forecast){ .m = m, .home = home, .n = w->behaviours.n };
	for (unsigned i = 0; i < f->n; i++) {
		struct forecast_part *p = &f->parts[i];

		p->behaviour = &w->behaviours.of[i];
		make_part(f, p, layer);
		f->span_ns.value += p->span_ns.value;
		f->span_ns.low += p->span_ns.low;
		f->span_ns.high += p->span_ns.high;
	}
	f->wait_ns = mapped(f->span_ns, j, layer, recorded_ns, wait_ns);
	f->elapsed_ns = mapped(f->span_ns, j, layer, recorded_ns, elapsed_ns);
	set_rates(f, moved(j, layer));
}
