// SPDX-License-Identifier: GPL-2.0-or-later
/* Estimates a quantity between measured points (kriging). The parameters are the length scale of
 * each coordinate, the deviation of the true values, and the sizes of the errors. The search finds
 * the parameters that make the measurements most likely. Equations: Rasmussen and Williams 2006. */
#include "user/stats/kriging.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"

#define STEPS 100 /* largest number of steps of the search for the most likely parameters */
/* length of the first step of the search, which varies the logarithms of the parameters */
#define STEP 0.1
#define LINE 0.1 /* tolerance of the line search (GSL's "tol") */
/* The search ends when a step raises the log likelihood by less than this number. */
#define NEAR_ENOUGH 0.001
/* weight of the penalty that keeps length scales near 1; the penalty is this weight times the sum
 * of log(length)^2 */
#define LENGTH_WEIGHT 0.02
/* minimum noise, as a fraction of the deviation of the true values; rounding would cancel smaller
 * noise */
#define LEAST_NOISE 1e-3

struct kriging {
	unsigned directions, n;
	struct kriging_scale scale;
	double *x, *y, mean;
	gsl_matrix *factor; /* Cholesky factor of the covariance matrix of the measured values */
	/* inverse of the covariance matrix, times the vector of value - mean; kriging_at() needs
	 * it */
	gsl_vector *weights;
};

/* Returns the argument of the Matern function for points @a and @b: sqrt(3) times their distance,
 * with each coordinate divided by its length scale. Sets @squares[d] to the part of the squared
 * result that comes from coordinate d. */
static double matern_distance(const struct kriging_scale *s, unsigned directions, const double *a,
			      const double *b, double squares[KRIGING_MOST])
{
	double sum = 0;

	for (unsigned d = 0; d < directions; d++) {
		squares[d] = 3 * pow((a[d] - b[d]) / s->length[d], 2);
		sum += squares[d];
	}
	return sqrt(sum);
}

static double covariance(const struct kriging_scale *s, unsigned directions, const double *a,
			 const double *b)
{
	double squares[KRIGING_MOST], r = matern_distance(s, directions, a, b, squares);

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

/* Replaces the covariance matrix in k->factor by its Cholesky factor. Returns 0, or an error code
 * of GSL if the matrix is not positive definite. */
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
	*k = (struct kriging){ .directions = directions,
			       .n = n,
			       .scale = *scale,
			       .x = copied(x, n * directions),
			       .y = copied(y, n),
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

static gsl_matrix *inverse_of(const struct kriging *k)
{
	gsl_matrix *inverse = need(gsl_matrix_alloc(k->n, k->n));

	gsl_matrix_memcpy(inverse, k->factor);
	gsl_linalg_cholesky_invert(inverse);
	return inverse;
}

void kriging_without(const struct kriging *k, double *to)
{
	gsl_matrix *inverse = inverse_of(k);

	for (unsigned i = 0; i < k->n; i++) {
		double by = gsl_vector_get(k->weights, i) / gsl_matrix_get(inverse, i, i);

		to[i] = k->mean;
		/* The difference is the weight that measurement j would have without measurement
		 * i. */
		for (unsigned j = 0; j < k->n; j++)
			to[i] += (gsl_vector_get(k->weights, j) -
				  by * gsl_matrix_get(inverse, i, j)) *
				at_places(k, i, j);
	}
	gsl_matrix_free(inverse);
}

double kriging_chance(const struct kriging *k, unsigned i)
{
	return hypot(noise_at(k, i), k->scale.drift);
}

/* The search varies a vector. Its first elements are the logarithms of the length scales. The
 * other elements are the logarithms of the other parameters, in the order of this enum. */
enum other { DEVIATION, NOISE_SLOW, NOISE_FAST, DRIFT, MEMORY, OTHERS };

struct measured {
	unsigned directions, n;
	const double *x, *y;
};

static bool is_bounded(double logarithm)
{
	return logarithm > log(KRIGING_LEAST) && logarithm < log(KRIGING_LARGEST);
}

static double bounded(double logarithm)
{
	return exp(fmin(fmax(logarithm, log(KRIGING_LEAST)), log(KRIGING_LARGEST)));
}

static double *other(struct kriging_scale *s, enum other i)
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

/* Adds to @slope the derivatives of the covariance of points @i and @j by the logarithm of each
 * parameter. Multiplies each derivative by @by first. */
static void add_places(const struct kriging *k, unsigned i, unsigned j, double by, double *slope)
{
	double squares[KRIGING_MOST],
		r = matern_distance(&k->scale, k->directions, k->x + i * k->directions,
				    k->x + j * k->directions, squares);

	by *= k->scale.deviation * k->scale.deviation * exp(-r);
	for (unsigned d = 0; d < k->directions; d++)
		slope[d] += by * squares[d];
	slope[k->directions + DEVIATION] += by * 2 * (1 + r);
}

/* Adds to @slope the derivatives of the noise variance of measurement @i by the logarithm of each
 * parameter. Multiplies each derivative by @by first. */
static void add_noise(const struct kriging *k, unsigned i, double by, double *slope)
{
	double at = k->x[(i + 1) * k->directions - 1], noise = noise_at(k, i);

	by *= 2 * noise * noise;
	slope += k->directions;
	if (noise > LEAST_NOISE * k->scale.deviation) {
		slope[NOISE_SLOW] += by * (1 - at);
		slope[NOISE_FAST] += by * at;
	} else {
		slope[DEVIATION] += by;
	}
}

/* Adds to @slope the derivatives of the negative log likelihood (equation 5.9) by the logarithm of
 * each parameter. */
static void add_values(const struct kriging *k, double *slope)
{
	const double kept = exp(-1 / k->scale.memory);
	gsl_matrix *inverse = inverse_of(k);

	for (unsigned i = 0; i < k->n; i++) {
		double drift = k->scale.drift * k->scale.drift, weight = 0.5;

		for (unsigned j = i + 1; j-- > 0; drift *= kept, weight = 1) {
			double by = weight *
				(gsl_matrix_get(inverse, i, j) -
				 gsl_vector_get(k->weights, i) * gsl_vector_get(k->weights, j));

			add_places(k, i, j, by, slope);
			slope[k->directions + DRIFT] += by * 2 * drift;
			slope[k->directions + MEMORY] += by * drift * (i - j) / k->scale.memory;
			if (i == j)
				add_noise(k, i, by, slope);
		}
	}
	gsl_matrix_free(inverse);
}

/* Sets @slope to the gradient of the quantity that the search minimises (see
 * unlikelihood_and_slope()). A parameter outside of its limits has the derivative 0: bounded()
 * replaces it by the limit, so it does not affect the likelihood. */
static void set_slope(const struct kriging *k, const gsl_vector *v, gsl_vector *slope)
{
	double by[KRIGING_MOST + OTHERS] = {};

	add_values(k, by);
	for (unsigned i = 0; i < k->directions + OTHERS; i++) {
		double at = gsl_vector_get(v, i),
		       own = i < k->directions ? 2 * LENGTH_WEIGHT * at : 0;

		gsl_vector_set(slope, i, own + (is_bounded(at) ? by[i] : 0));
	}
}

/* Returns the quantity that the search minimises: the negative log likelihood (equation 2.30)
 * without its constant term, plus a penalty for length scales far from 1. Sets @slope, if it is not
 * NULL, to the gradient of this quantity by the parameters @v. */
static double unlikelihood_and_slope(const gsl_vector *v, const struct measured *a,
				     gsl_vector *slope)
{
	struct kriging_scale s = scale_of(v, a->directions);
	struct kriging *k = kriging_new(a->directions, a->n, a->x, a->y, &s);
	double sum = 0;

	if (slope)
		gsl_vector_set_zero(slope);
	if (!k)
		return GSL_DBL_MAX;
	for (unsigned i = 0; i < a->n; i++)
		sum += (a->y[i] - k->mean) * gsl_vector_get(k->weights, i) / 2 +
			log(gsl_matrix_get(k->factor, i, i));
	for (unsigned d = 0; d < a->directions; d++)
		sum += LENGTH_WEIGHT * pow(gsl_vector_get(v, d), 2);
	if (slope)
		set_slope(k, v, slope);
	kriging_free(k);
	return sum;
}

static double unlikelihood(const gsl_vector *v, void *arg)
{
	return unlikelihood_and_slope(v, arg, NULL);
}

static void slope_only(const gsl_vector *v, void *arg, gsl_vector *slope)
{
	unlikelihood_and_slope(v, arg, slope);
}

static void both(const gsl_vector *v, void *arg, double *value, gsl_vector *slope)
{
	*value = unlikelihood_and_slope(v, arg, slope);
}

static void run_search(gsl_multimin_fdfminimizer *m, unsigned directions,
		       struct kriging_scale *scale)
{
	double before = GSL_DBL_MAX;

	for (int i = 0; i < STEPS && before - m->f > NEAR_ENOUGH; i++) {
		before = m->f;
		if (gsl_multimin_fdfminimizer_iterate(m))
			break;
	}
	*scale = scale_of(gsl_multimin_fdfminimizer_x(m), directions);
}

void kriging_fit(unsigned directions, unsigned n, const double *x, const double *y,
		 struct kriging_scale *scale)
{
	struct measured a = { directions, n, x, y };
	gsl_multimin_function_fdf f = { unlikelihood, slope_only, both, directions + OTHERS, &a };
	gsl_multimin_fdfminimizer *m =
		need(gsl_multimin_fdfminimizer_alloc(gsl_multimin_fdfminimizer_vector_bfgs2, f.n));
	gsl_vector *at = need(gsl_vector_alloc(f.n));

	for (unsigned d = 0; d < directions; d++)
		gsl_vector_set(at, d, log(scale->length[d]));
	for (unsigned i = 0; i < OTHERS; i++)
		gsl_vector_set(at, directions + i, log(*other(scale, i)));
	if (!gsl_multimin_fdfminimizer_set(m, &f, at, STEP, LINE))
		run_search(m, directions, scale);
	gsl_vector_free(at);
	gsl_multimin_fdfminimizer_free(m);
}
