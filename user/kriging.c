// SPDX-License-Identifier: GPL-2.0-or-later
#include "kriging.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"

#define STEPS 400		/* of the search */
#define STEP 0.5		/* the first, of logarithms */
#define NEAR_ENOUGH 1e-3
#define LENGTH_WEIGHT 0.02	/* that lengths are of the order of 1 */
#define LEAST_NOISE 1e-3	/* a part of the deviation: less is lost in rounding */

struct kriging {
	unsigned directions, n;
	struct kriging_scale scale;
	double *x, *y, mean;
	gsl_matrix *factor;	/* Cholesky's, of the covariance */
	gsl_vector *weights;	/* of the values: inverse of the covariance times them */
};

static double covariance(const struct kriging_scale *s, unsigned directions, const double *a,
			 const double *b)
{
	double square = 0, r;

	for (unsigned d = 0; d < directions; d++)
		square += pow((a[d] - b[d]) / s->length[d], 2);
	r = sqrt(3 * square);
	return s->deviation * s->deviation * (1 + r) * exp(-r);
}

static double noise_at(const struct kriging *k, unsigned i)
{
	double at = k->x[(i + 1) * k->directions - 1];
	double noise = pow(k->scale.noise[0], 1 - at) * pow(k->scale.noise[1], at);

	return fmax(noise, LEAST_NOISE * k->scale.deviation);
}

static double at_places(const struct kriging *k, unsigned i, unsigned j)
{
	return covariance(&k->scale, k->directions, k->x + i * k->directions,
			  k->x + j * k->directions);
}

static double *copied(const double *from, unsigned n)
{
	double *to = need(calloc(n + 1, sizeof(*to)));

	memcpy(to, from, n * sizeof(*to));
	return to;
}

static void make_covariance(struct kriging *k)
{
	const double kept = exp(-1 / k->scale.memory);

	for (unsigned i = 0; i < k->n; i++) {
		double drift = k->scale.drift * k->scale.drift;

		for (unsigned j = i + 1; j-- > 0; drift *= kept) {
			double c = at_places(k, i, j) + drift;

			gsl_matrix_set(k->factor, i, j, c);
			gsl_matrix_set(k->factor, j, i, c);
		}
		*gsl_matrix_ptr(k->factor, i, i) += pow(noise_at(k, i), 2);
	}
}

/* The library would end the program where a matrix is not positive. */
static int factorise(struct kriging *k)
{
	gsl_error_handler_t *handler = gsl_set_error_handler_off();
	int ret = gsl_linalg_cholesky_decomp1(k->factor);

	gsl_set_error_handler(handler);
	return ret;
}

struct kriging *kriging_new(unsigned directions, unsigned n, const double *x, const double *y,
			    const struct kriging_scale *scale)
{
	struct kriging *k = need(calloc(1, sizeof(*k)));

	if (!n) {
		free(k);
		return NULL;
	}
	*k = (struct kriging){ .directions = directions, .n = n, .scale = *scale,
			       .x = copied(x, n * directions), .y = copied(y, n),
			       .factor = need(gsl_matrix_alloc(n, n)),
			       .weights = need(gsl_vector_alloc(n)) };
	for (unsigned i = 0; i < n; i++)
		k->mean += y[i] / n;
	for (unsigned i = 0; i < n; i++)
		gsl_vector_set(k->weights, i, y[i] - k->mean);
	make_covariance(k);
	if (!factorise(k)) {
		gsl_linalg_cholesky_svx(k->factor, k->weights);
		return k;
	}
	kriging_free(k);
	return NULL;
}

void kriging_free(struct kriging *k)
{
	if (!k)
		return;
	gsl_matrix_free(k->factor);
	gsl_vector_free(k->weights);
	free(k->x);
	free(k->y);
	free(k);
}

double kriging_at(const struct kriging *k, const double *x)
{
	double sum = k->mean;

	for (unsigned i = 0; i < k->n; i++)
		sum += gsl_vector_get(k->weights, i) *
		       covariance(&k->scale, k->directions, x, k->x + i * k->directions);
	return sum;
}

double kriging_without(const struct kriging *k, unsigned i)
{
	gsl_vector *column = need(gsl_vector_calloc(k->n));	/* of the inverse */
	double sum = k->mean, by;

	gsl_vector_set(column, i, 1);
	gsl_linalg_cholesky_svx(k->factor, column);
	by = gsl_vector_get(k->weights, i) / gsl_vector_get(column, i);
	for (unsigned j = 0; j < k->n; j++)	/* its own weight becomes 0 */
		sum += (gsl_vector_get(k->weights, j) - by * gsl_vector_get(column, j)) *
		       at_places(k, i, j);
	gsl_vector_free(column);
	return sum;
}

/* ---- the scale ---- */

struct search {
	unsigned directions, n;
	const double *x, *y;
};

static double bounded(double logarithm)
{
	return exp(fmin(fmax(logarithm, log(KRIGING_LEAST)), log(KRIGING_LARGEST)));
}

/* What is searched, beside the lengths; all by their logarithms. */
#define OTHERS 5

static double *other(struct kriging_scale *s, unsigned i)
{
	double *const of[OTHERS] = { &s->deviation, &s->noise[0], &s->noise[1], &s->drift,
				     &s->memory };

	return of[i];
}

static struct kriging_scale scale_of(const gsl_vector *v, unsigned directions)
{
	struct kriging_scale s;

	for (unsigned d = 0; d < directions; d++)
		s.length[d] = bounded(gsl_vector_get(v, d));
	for (unsigned i = 0; i < OTHERS; i++)
		*other(&s, i) = bounded(gsl_vector_get(v, directions + i));
	return s;
}

static double unlikelihood(const gsl_vector *v, void *arg)
{
	const struct search *a = arg;
	struct kriging_scale s = scale_of(v, a->directions);
	struct kriging *k = kriging_new(a->directions, a->n, a->x, a->y, &s);
	double sum = 0;

	if (!k)
		return GSL_POSINF;
	for (unsigned i = 0; i < a->n; i++)
		sum += (a->y[i] - k->mean) * gsl_vector_get(k->weights, i) / 2 +
		       log(gsl_matrix_get(k->factor, i, i));
	for (unsigned d = 0; d < a->directions; d++)
		sum += LENGTH_WEIGHT * pow(gsl_vector_get(v, d), 2);
	kriging_free(k);
	return sum;
}

static void search(gsl_multimin_fminimizer *m, unsigned directions, struct kriging_scale *scale)
{
	for (int i = 0; i < STEPS && !gsl_multimin_fminimizer_iterate(m); i++)
		if (gsl_multimin_fminimizer_size(m) < NEAR_ENOUGH)
			break;
	*scale = scale_of(gsl_multimin_fminimizer_x(m), directions);
}

void kriging_fit(unsigned directions, unsigned n, const double *x, const double *y,
		 struct kriging_scale *scale)
{
	struct search a = { directions, n, x, y };
	gsl_multimin_function f = { unlikelihood, directions + OTHERS, &a };
	gsl_multimin_fminimizer *m = need(gsl_multimin_fminimizer_alloc(
		gsl_multimin_fminimizer_nmsimplex2, f.n));
	gsl_vector *at = need(gsl_vector_alloc(f.n)), *step = need(gsl_vector_alloc(f.n));

	for (unsigned d = 0; d < directions; d++)
		gsl_vector_set(at, d, log(scale->length[d]));
	for (unsigned i = 0; i < OTHERS; i++)
		gsl_vector_set(at, directions + i, log(*other(scale, i)));
	gsl_vector_set_all(step, STEP);
	if (!gsl_multimin_fminimizer_set(m, &f, at, step))
		search(m, directions, scale);
	gsl_vector_free(at);
	gsl_vector_free(step);
	gsl_multimin_fminimizer_free(m);
}
