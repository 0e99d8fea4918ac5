// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/scale/feedback.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"

#define CANDIDATES 200		       /* of which one is the nearest */
#define MORE 1.2		       /* times as many points: the scale is searched again */
#define SEED_OF_PROBES 0x70726f6265ULL /* others than those of a validation */

struct round {
	struct feedback *f;
	const struct model *m;
	struct range ranges[PARAMETERS];
	u64 seed;
};

/* The same for the same round of the same seed. */
static struct workload *candidates(struct round *r, unsigned n)
{
	r->seed += SEED_OF_PROBES;
	return workloads_random(r->ranges, r->m->buffer_bytes, n, r->seed);
}

static int measure(struct round *r, const struct workload *w, enum probe probe)
{
	const struct sample *s;
	u64 elapsed;

	if (!samples_find(&r->f->evaluation->earlier, w, false) &&
	    !r->f->goes_on(r->f->arg, &elapsed))
		return -ETIME;
	return evaluation_measure(r->f->evaluation, w, false, probe, &s);
}

static int measure_random(struct round *r)
{
	struct workload *w = candidates(r, FEEDBACK_RANDOM);
	int ret = 0;

	for (unsigned i = 0; i < FEEDBACK_RANDOM && !ret; i++)
		ret = measure(r, &w[i], PROBE_RANDOM);
	free(w);
	return ret;
}

/* ---- where predictions are worst ---- */

static double distance(const struct model *m, const struct workload *a, const struct workload *b)
{
	double x[MODEL_DIRECTIONS], y[MODEL_DIRECTIONS], square = 0;

	model_place(m, a, x);
	model_place(m, b, y);
	for (int i = 0; i < MODEL_DIRECTIONS; i++)
		square += pow((x[i] - y[i]) / m->scale.length[i], 2);
	return square;
}

static struct workload nearest(struct round *r, const struct workload *to)
{
	struct workload *all = candidates(r, CANDIDATES), best = all[0];

	for (unsigned i = 1; i < CANDIDATES; i++)
		if (distance(r->m, &all[i], to) < distance(r->m, &best, to))
			best = all[i];
	free(all);
	return best;
}

/* Where measurements are off by chance, another one tells little. */
static double unexplained(const struct probe_error *e)
{
	return e->off / e->chance;
}

static int worse_first(const void *a, const void *b)
{
	const struct probe_error *one = a, *other = b;

	return (unexplained(one) < unexplained(other)) - (unexplained(one) > unexplained(other));
}

/* What was measured in the same place before, the kriging knows; so the worst are others. */
static int measure_near(struct round *r)
{
	struct probe_error *worst = need(calloc(r->m->points_n + 1, sizeof(*worst)));
	unsigned n;
	int ret = 0;

	model_probe_errors(r->m, r->m->method, PROBE_NEAR, worst, &n);
	qsort(worst, n, sizeof(*worst), worse_first);
	for (unsigned i = 0; i < n && i < FEEDBACK_NEAR && !ret; i++) {
		struct workload w = nearest(r, &worst[i].point->at);

		ret = measure(r, &w, PROBE_NEAR);
	}
	free(worst);
	return ret;
}

/* ---- rounds ---- */

static u64 elapsed_at(const struct feedback *f, unsigned probes)
{
	u64 elapsed;

	for (unsigned i = 0; i < f->earlier_n; i++)
		if (f->earlier[i].probes == probes)
			return f->earlier[i].elapsed_ns;
	f->goes_on(f->arg, &elapsed);
	return elapsed;
}

static void note(struct feedback *f, const struct model *m)
{
	struct feedback_step *s = &f->steps[f->steps_n];
	unsigned probes = 0;

	for (unsigned i = 0; i < m->points_n; i++)
		probes += m->points[i].probe != PROBE_NONE;
	if (m->kriging)
		f->scale = m->scale;
	if (probes == (f->steps_n ? s[-1].probes : 0))
		return;
	s->probes = probes;
	s->elapsed_ns = elapsed_at(f, probes);
	memcpy(s->error, m->probed, sizeof(s->error));
	f->steps_n++;
}

/* What is known by now. */
static struct model *judge(struct feedback *f)
{
	struct model *m = f->model(f->arg);

	if (!m)
		return NULL;
	if (m->points_n >= f->fitted * MORE) {
		model_fit(m);
		f->fitted = m->kriging ? m->points_n : 0;
	}
	note(f, m);
	return m;
}

static int run_round(struct feedback *f, unsigned number)
{
	struct model *m = judge(f);
	struct round r = { .f = f, .m = m, .seed = f->seed + number * CANDIDATES * SEED_OF_PROBES };
	int ret;

	if (!m)
		return -EINVAL;
	for (enum parameter p = 0; p < PARAMETERS; p++)
		r.ranges[p] = p < PARAM_DEPTH ? m->axes[p] : (struct range){ 1, 1 };
	ret = measure_random(&r);
	if (!ret && m->kriging)
		ret = measure_near(&r);
	model_free(m);
	return ret;
}

int feedback_run(struct feedback *f)
{
	int ret = 0;

	for (unsigned i = 0; i < FEEDBACK_ROUNDS - 1 && !ret; i++)
		ret = run_round(f, i);
	if (ret && ret != -ETIME)
		return ret;
	model_free(judge(f));
	return 0;
}
