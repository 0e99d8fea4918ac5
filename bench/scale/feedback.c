// SPDX-License-Identifier: GPL-2.0-or-later
/* Measures probes: workloads that test and improve predictions. Some are random, the others are
 * near workloads with large errors. */
#include "bench/scale/feedback.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/out-read.h"
#include "user/base/out.h"
#include "bench/model/model-kriging.h"

#define CANDIDATES 200 /* nearest() chooses among this many random workloads */
/* when the number of points has grown by this factor since the last fit, kriging is fitted again */
#define REFIT 1.2
/* added to the seed, so that the probes differ from the workloads of a validation */
#define SEED_OF_PROBES 0x70726f6265ULL

struct round {
	struct feedback *f;
	const struct model *m;
	struct range ranges[PARAMETERS];
	u64 seed;
};

/* Returns @n random workloads. The workloads depend only on the seed and the earlier calls, so a
 * resumed evaluation gets the same workloads. The caller frees the array. */
static struct workload *candidates(struct round *r, unsigned n)
{
	r->seed += SEED_OF_PROBES;
	return workloads_random(r->ranges, r->m->buffer_bytes, n, r->seed);
}

static int measure_probe(struct round *r, const struct workload *w, enum probe probe)
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
		ret = measure_probe(r, &w[i], PROBE_RANDOM);
	free(w);
	return ret;
}

/* Returns the square of the distance between two workloads. A difference weighs more in a
 * coordinate along which bandwidth changes faster (struct kriging_scale). */
static double square_distance(const struct model *m, const struct workload *a,
			      const struct workload *b)
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
		if (square_distance(r->m, &all[i], to) < square_distance(r->m, &best, to))
			best = all[i];
	free(all);
	return best;
}

/* Returns the error of a prediction as a multiple of the noise. If this multiple is small, another
 * measurement nearby would add little. */
static double unexplained(const struct probe_error *e)
{
	return e->off / e->chance;
}

static int worse_first(const void *a, const void *b)
{
	const struct probe_error *one = a, *other = b;

	return (unexplained(one) < unexplained(other)) - (unexplained(one) > unexplained(other));
}

/* Measures one probe near each of the worst predictions. Afterwards, kriging knows the bandwidth of
 * these probes. So in the next round, other workloads have the worst predictions. */
static int measure_near(struct round *r)
{
	struct probe_error *worst = need(calloc(r->m->points_n + 1, sizeof(*worst)));
	unsigned n;
	int ret = 0;

	model_probe_errors(r->m, r->m->method, PROBE_NEAR, worst, &n);
	qsort(worst, n, sizeof(*worst), worse_first);
	for (unsigned i = 0; i < n && i < FEEDBACK_NEAR && !ret; i++) {
		struct workload w = nearest(r, &worst[i].point->at);

		ret = measure_probe(r, &w, PROBE_NEAR);
	}
	free(worst);
	return ret;
}

static u64 elapsed_at(const struct feedback *f, unsigned probes)
{
	u64 elapsed;

	for (unsigned i = 0; i < f->earlier_n; i++)
		if (f->earlier[i].probes == probes)
			return f->earlier[i].elapsed_ns;
	f->goes_on(f->arg, &elapsed);
	return elapsed;
}

static void add_step(struct feedback *f, const struct model *m)
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

/* Makes a model of all points so far, and adds a step with the prediction errors of this model.
 * Returns the model. */
static struct model *current_model(struct feedback *f)
{
	struct model *m = f->model(f->arg);

	if (!m)
		return NULL;
	if (m->points_n >= f->fitted * REFIT) {
		model_fit(m);
		f->fitted = m->kriging ? m->points_n : 0;
	}
	add_step(f, m);
	return m;
}

static int run_round(struct feedback *f, unsigned number)
{
	struct model *m = current_model(f);
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
	model_free(current_model(f));
	return 0;
}

#define SHOWN 15 /* the table shows about this many feedback steps, and always the last step */

static struct out *scale_json(const struct kriging_scale *s)
{
	struct out *o = out_object(), *lengths = out_object();

	for (int i = 0; i < MODEL_DIRECTIONS; i++)
		out_f64(lengths, direction_key(i), s->length[i]);
	out_put(o, "lengths", lengths);
	out_f64(o, "deviation", s->deviation);
	out_f64(o, "noise_slow", s->noise[0]);
	out_f64(o, "noise_fast", s->noise[1]);
	out_f64(o, "drift", s->drift);
	out_f64(o, "memory", s->memory);
	return o;
}

static struct out *step_json(const struct feedback_step *s)
{
	struct out *o = out_object();

	out_u64(o, "elapsed_ns", s->elapsed_ns);
	out_u64(o, "probes", s->probes);
	for (enum method m = 0; m < METHODS; m++)
		out_put(o, method_words[m], errors_json(&s->error[m]));
	return o;
}

void feedback_json(struct out *doc, const struct feedback *f)
{
	unsigned every = f->steps_n / SHOWN + 1;
	struct out *steps = out_array();

	for (unsigned i = 0; i < f->steps_n; i++) {
		struct out *o = step_json(&f->steps[i]);

		out_bool(o, "is_shown", (f->steps_n - 1 - i) % every == 0);
		out_append(steps, o);
	}
	out_put(doc, "feedback", steps);
	out_put(doc, "kriging", f->scale.deviation > 0 ? scale_json(&f->scale) : NULL);
}

static void read_step(void *arg, const char *key, const struct out *node)
{
	struct feedback *f = arg;
	struct feedback_step *s = &f->earlier[f->earlier_n];
	u64 probes;

	if (f->earlier_n == FEEDBACK_ROUNDS || !out_get_u64(node, "probes", &probes) ||
	    !out_get_u64(node, "elapsed_ns", &s->elapsed_ns))
		return;
	s->probes = probes;
	f->earlier_n++;
}

void feedback_read(struct feedback *f, const struct out *doc)
{
	const struct out *steps = out_get(doc, "feedback");

	f->earlier_n = 0;
	if (steps)
		out_each(steps, read_step, f);
}
