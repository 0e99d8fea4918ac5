// SPDX-License-Identifier: GPL-2.0-or-later
/* A segment of a curve lies between two successive points. A family is a region with its focal
 * point and the curves through this point. */
#include "bench/scale/evaluate.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "user/base/out.h"
#include "user/host/disk.h"

#define PAGE 4096
/* minimum number of points of a curve (Chen and Patterson 1993, section 6) */
#define CURVE_POINTS 6
/* number of points measured first on the curve over uniqueBytes; more are measured where the
 * performance falls steeply */
#define SWEEP_FIRST 8
#define SWEEP_MOST 20
/* Maximum number of searches for the focal point with FOCAL_75 (one focal point, Chen and Patterson
 * 1993, section 7). The search is repeated until the focal point no longer changes. */
#define PASSES 3
#define FAMILY_POINTS 38 /* estimate of the number of points that a region needs */
#define MIB (1ULL << 20)
#define MOST_DEPTH 64
#define BUFFERS 8 /* the buffers of all requests take at most 1 / BUFFERS of the memory */
/* largest request size / mean request size, for normally distributed sizes (STREAM_NORMAL_MOST) */
#define ROOM 6

/* The workload with which the curve over uniqueBytes is measured, to find the regions. */
static const struct workload start = {
	{ [PARAM_SIZE] = 32768,
	  [PARAM_READ] = 0.5,
	  [PARAM_SEQ] = 0.5,
	  [PARAM_PROCS] = 1,
	  [PARAM_DEPTH] = 1 },
};

/* Returns the maximum number of requests that the kernel keeps in flight for the disk of
 * @target. */
static double queue_depth(const char *target)
{
	long long requests;
	struct disk d;

	if (!disk_by_path(&this_host, target, &d) &&
	    disk_number(&d, "queue/nr_requests", &requests) && requests > 0)
		return requests;
	return MOST_DEPTH;
}

void evaluation_set_axes(struct evaluation *e, const char *target, u64 bytes, u64 cache_bytes)
{
	double queue = queue_depth(target), cpus = sysconf(_SC_NPROCESSORS_ONLN);

	e->axes[PARAM_UNIQUE_BYTES] = (struct range){ MIB, bytes };
	e->axes[PARAM_SIZE] = (struct range){ PAGE, MIB };
	e->axes[PARAM_READ] = e->axes[PARAM_SEQ] = (struct range){ 0, 1 };
	e->axes[PARAM_PROCS] = (struct range){ 1, fmax(2, fmin(fmax(16, 4 * cpus), queue)) };
	e->axes[PARAM_DEPTH] = (struct range){ 1, fmax(2, fmin(MOST_DEPTH, queue)) };
	e->buffer_bytes = cache_bytes / BUFFERS;
}

int evaluation_measure(struct evaluation *e, const struct workload *at, bool ring, enum probe probe,
		       const struct sample **to)
{
	const struct sample *known = samples_find(&e->points, at, ring);
	struct sample s = { .at = *at, .ring = ring, .probe = probe };
	int ret = 0;

	if (known) {
		*to = known;
		return 0;
	}
	known = samples_find(&e->earlier, at, ring);
	if (known) {
		s = *known;
		s.layers = out_keep(known->layers);
	} else {
		ret = e->measure(e->arg, &s);
	}
	e->expected -= e->expected > 1;
	if (!ret)
		*to = samples_add(&e->points, &s);
	return ret;
}

static int add_point(struct evaluation *e, struct sweep *s, const struct workload *base,
		     double value)
{
	struct workload at = *base;
	const struct sample *p;
	int ret;

	at.v[s->along] = value;
	ret = evaluation_measure(e, &at, s->along == PARAM_DEPTH, PROBE_NONE, &p);
	if (!ret)
		sweep_add(s, p);
	return ret;
}

/* Returns the range in which parameter @p may lie if all other parameters are as in @w. In this
 * range, the data of each process are at least as large as its largest request. The buffers of all
 * requests fit in memory. */
static struct range range_beside(const struct evaluation *e, const struct workload *w,
				 enum parameter p)
{
	const double *v = w->v;
	struct range r = e->axes[p];
	double each = fmin(v[PARAM_UNIQUE_BYTES], e->buffer_bytes) / ROOM;

	if (p == PARAM_UNIQUE_BYTES)
		r.min = fmax(r.min, ROOM * v[PARAM_SIZE] * v[PARAM_PROCS]);
	else if (p == PARAM_SIZE)
		r.max = fmin(r.max, floor(each / v[PARAM_PROCS] / PAGE) * PAGE);
	else if (p == PARAM_PROCS)
		r.max = fmin(r.max, floor(each / v[PARAM_SIZE]));
	else if (p == PARAM_DEPTH)
		r.max = fmin(r.max, floor(e->buffer_bytes / ROOM / v[PARAM_SIZE] / v[PARAM_PROCS]));
	r.max = fmax(r.min, r.max);
	return r;
}

/* Measures the points of a curve through workload @w. First measures three values of the parameter:
 * both ends of the range @r, and the value in @w. Then repeatedly measures the middle of the
 * longest segment. */
static int trace_curve(struct evaluation *e, struct sweep *s, const struct workload *w,
		       struct range r)
{
	double next, focal = w->v[s->along];
	int ret = 0;

	sweep_gather(s, &e->points, w, s->along == PARAM_DEPTH, r);
	ret = add_point(e, s, w, r.min) ?: add_point(e, s, w, r.max);
	if (!ret && focal > r.min && focal < r.max)
		ret = add_point(e, s, w, focal);
	while (!ret && s->n < CURVE_POINTS && !isnan(next = sweep_longest(s)))
		ret = add_point(e, s, w, next);
	return ret;
}

/* Measures the curve over parameter @p through workload @w, and sets *@value to the value that
 * @choose(curve) returns. */
static int choose_value(struct evaluation *e, const struct workload *w, enum parameter p,
			double (*choose)(const struct sweep *s), double *value)
{
	struct sweep s = { .along = p };
	int ret = trace_curve(e, &s, w, range_beside(e, w, p));

	if (!ret)
		*value = choose(&s);
	sweep_free(&s);
	return ret;
}

static int trace_family(struct evaluation *e, struct family *f)
{
	int ret = 0;

	for (enum parameter p = 0; p < PARAMETERS && !ret; p++) {
		struct range r = range_beside(e, &f->focal, p);

		f->curves[p].along = p;
		if (p == PARAM_DEPTH && !e->with_depth)
			continue;
		if (p == PARAM_UNIQUE_BYTES) {
			r.max = f->bytes.max;
			r.min = fmin(fmax(r.min, f->bytes.min), r.max);
		}
		ret = trace_curve(e, &f->curves[p], &f->focal, r);
		f->good[p] = ret ? (struct range){ NAN, NAN } : sweep_good(&f->curves[p]);
	}
	return ret;
}

/* Measures point @p a second time and keeps the faster result, because other programs can slow a
 * machine down, but never speed it up. */
static int measure_again(struct evaluation *e, const struct sample *p)
{
	struct sample s = { .at = p->at, .ring = p->ring }, better;
	int ret = e->measure(e->arg, &s);

	if (ret)
		return ret;
	better = s.bandwidth > p->bandwidth ? s : *p;
	better.layers = out_keep(better.layers);
	better.again = true;
	out_free(s.layers);
	samples_replace(&e->points, &better);
	return 0;
}

/* Measures a point again if other programs seem to have slowed it down. */
static int check_sweep(struct evaluation *e)
{
	const struct sample *p;
	int ret = 0;

	while (!ret && (p = border_suspect(&e->sweep)))
		ret = measure_again(e, p);
	return ret;
}

static int trace_sweep(struct evaluation *e)
{
	const struct range axis = e->axes[PARAM_UNIQUE_BYTES];
	double next;
	int ret = 0;

	e->sweep.along = PARAM_UNIQUE_BYTES;
	for (int i = 0; i < SWEEP_FIRST && !ret; i++) {
		double v = axis.min * pow(axis.max / axis.min, i / (SWEEP_FIRST - 1.0));

		ret = add_point(e, &e->sweep, &start, fmin(whole_pages(v), axis.max));
	}
	ret = ret ?: check_sweep(e);
	while (!ret && e->sweep.n < SWEEP_MOST && !isnan(next = border_to_narrow(&e->sweep)))
		ret = add_point(e, &e->sweep, &start, next) ?: check_sweep(e);
	return ret;
}

static void find_regions(struct evaluation *e)
{
	const struct range axis = e->axes[PARAM_UNIQUE_BYTES];
	double from = axis.min;

	e->borders_n = borders_find(&e->sweep, e->borders);
	for (unsigned i = 0; i <= e->borders_n; i++) {
		bool last = i == e->borders_n;

		e->families[i] = (struct family){ .focal = start };
		e->families[i].bytes = (struct range){
			from,
			last ? axis.max : e->borders[i].from,
		};
		from = last ? from : e->borders[i].to;
	}
}

/* Finds the focal point of a region: first the request size with one process, then the number of
 * processes. Searches each of the two values only once, because with noise, repeated searches might
 * never agree. */
static int find_focal_half(struct evaluation *e, struct family *f)
{
	double *v = f->focal.v;

	v[PARAM_UNIQUE_BYTES] = whole_pages((f->bytes.min + f->bytes.max) / 2);
	return choose_value(e, &f->focal, PARAM_SIZE, sweep_half_way, &v[PARAM_SIZE]) ?:
		choose_value(e, &f->focal, PARAM_PROCS, sweep_half_way, &v[PARAM_PROCS]);
}

static int evaluate_half(struct evaluation *e)
{
	int ret = trace_sweep(e);

	if (ret)
		return ret;
	find_regions(e);
	for (unsigned i = 0; i <= e->borders_n && !ret; i++) {
		e->expected = (e->borders_n + 1 - i) * FAMILY_POINTS;
		e->families_n = i + 1;
		ret = find_focal_half(e, &e->families[i]) ?: trace_family(e, &e->families[i]);
	}
	return ret;
}

struct range evaluation_focal_band(const struct evaluation *e, const struct family *f,
				   enum parameter p, double chance)
{
	struct workload base = f->focal;
	struct sweep s = { .along = p };
	struct range band = { base.v[p], base.v[p] };

	if (p == PARAM_SIZE)
		base.v[PARAM_PROCS] = start.v[PARAM_PROCS];
	sweep_gather(&s, &e->points, &base, false, range_beside(e, &base, p));
	if (s.n > 1)
		band = sweep_half_way_band(&s, chance);
	sweep_free(&s);
	return (struct range){ fmin(band.min, f->focal.v[p]), fmax(band.max, f->focal.v[p]) };
}

static double least_good(const struct sweep *s)
{
	return sweep_good(s).min;
}

static double most_good(const struct sweep *s)
{
	return sweep_good(s).max;
}

/* Searches the focal point of Chen and Patterson 1993, section 7. For each parameter, finds the
 * values that yield at least 75 % of the best performance. Takes the largest of these values for
 * uniqueBytes, and the smallest for all other parameters. */
static int evaluate_75(struct evaluation *e)
{
	struct family *f = &e->families[0];
	struct workload before;
	int ret = trace_sweep(e);

	*f = (struct family){ .focal = start, .bytes = e->axes[PARAM_UNIQUE_BYTES] };
	f->focal.v[PARAM_UNIQUE_BYTES] = f->bytes.max;
	for (int i = 0; i < PASSES && !ret; i++) {
		before = f->focal;
		e->expected = (PASSES + 1 - i) * FAMILY_POINTS;
		for (enum parameter p = 0; p < PARAM_DEPTH && !ret; p++)
			ret = choose_value(e, &f->focal, p, p ? least_good : most_good,
					   &f->focal.v[p]);
		if (!memcmp(&before, &f->focal, sizeof(before)))
			break;
	}
	e->families_n = 1;
	return ret ?: trace_family(e, f);
}

int evaluate(struct evaluation *e)
{
	e->expected = SWEEP_MOST + 2 * FAMILY_POINTS;
	return e->focal_kind == FOCAL_HALF ? evaluate_half(e) : evaluate_75(e);
}

void evaluation_release(struct evaluation *e)
{
	for (unsigned i = 0; i <= BORDERS; i++)
		for (enum parameter p = 0; p < PARAMETERS; p++)
			sweep_free(&e->families[i].curves[p]);
	sweep_free(&e->sweep);
	samples_free(&e->points);
	samples_free(&e->earlier);
}
