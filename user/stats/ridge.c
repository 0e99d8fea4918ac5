// SPDX-License-Identifier: GPL-2.0-or-later
/* Ridge regression. A row is one observation, and a column is one explaining quantity. The
 * leverage of a row is the weight of its own value in its prediction. */
#include "user/stats/ridge.h"

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "user/base/err.h"

/* The ridge penalties that are tried. PENALTY_LEAST is the smallest penalty. Each next penalty is
 * larger by the factor PENALTY_STEP. PENALTIES is the number of penalties. A penalty is given as a
 * fraction of the largest squared singular value of the columns. */
#define PENALTY_LEAST 1e-5
#define PENALTY_STEP 3.1622776601683795 /* square root of 10: two penalties per decade */
#define PENALTIES 15
/* Maximum leverage of a row. A row of leverage 1 cannot be predicted from the other rows, and
 * press() would divide by 0. */
#define LEVERAGE_MOST (1 - 1e-9)
/* A column is treated as constant if its standard deviation is at most this fraction of the largest
 * absolute value in the column. */
#define SAME 1e-12

/* Singular value decomposition X = U S V' of the matrix X with the explaining quantities as
 * columns. .u is U, row by row; .squares are the squares of S. */
struct ridge {
	size_t n, rank;
	double *u, *squares;
};

/* Subtracts the mean from column @x, and scales the column to length 1. Returns false if all its
 * numbers are equal. */
static bool scale_column(size_t n, const double *x, double *to)
{
	double mean = gsl_stats_mean(x, 1, n), most = 0, sum = 0;

	for (size_t i = 0; i < n; i++) {
		to[i] = x[i] - mean;
		sum += to[i] * to[i];
		most = fmax(most, fabs(x[i]));
	}
	if (!(sqrt(sum / n) > SAME * most))
		return false;
	for (size_t i = 0; i < n; i++)
		to[i] /= sqrt(sum);
	return true;
}

/* Computes U and the squares of S. If the matrix has more columns than rows, decomposes the
 * transposed matrix, because GSL requires it. */
static void decompose(struct ridge *r, const double *scaled, size_t p)
{
	size_t n = r->n, wide = p > n, rows = wide ? p : n, columns = wide ? n : p;
	gsl_matrix *a = need(gsl_matrix_alloc(rows, columns));
	gsl_matrix *v = need(gsl_matrix_alloc(columns, columns));
	gsl_vector *s = need(gsl_vector_alloc(columns)), *work = need(gsl_vector_alloc(columns));

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < p; j++)
			gsl_matrix_set(a, wide ? j : i, wide ? i : j, scaled[j * n + i]);
	gsl_linalg_SV_decomp(a, v, s, work);
	r->rank = columns;
	r->u = need(calloc(n * columns + 1, sizeof(double)));
	r->squares = need(calloc(columns + 1, sizeof(double)));
	for (size_t k = 0; k < columns; k++) {
		r->squares[k] = gsl_vector_get(s, k) * gsl_vector_get(s, k);
		for (size_t i = 0; i < n; i++)
			r->u[i * columns + k] = gsl_matrix_get(wide ? v : a, i, k);
	}
	gsl_matrix_free(a);
	gsl_matrix_free(v);
	gsl_vector_free(s);
	gsl_vector_free(work);
}

struct ridge *ridge_new(size_t n, size_t p, const double *const *columns)
{
	struct ridge *r = need(calloc(1, sizeof(*r)));
	double *scaled = need(calloc(n * p + 1, sizeof(*scaled)));
	size_t used = 0;

	r->n = n;
	for (size_t j = 0; n && j < p; j++)
		used += scale_column(n, columns[j], scaled + used * n);
	if (used)
		decompose(r, scaled, used);
	free(scaled);
	return r;
}

void ridge_free(struct ridge *r)
{
	if (!r)
		return;
	free(r->u);
	free(r->squares);
	free(r);
}

/* Returns PRESS: the sum of squared errors if each row is predicted from all other rows. No new fit
 * per row is needed: for a row with leverage h and residual e, the error is e / (1 - h). The
 * numbers @y must have the mean 0. @along is the vector U'y (for U see struct ridge). */
static double press(const struct ridge *r, const double *y, const double *along, double penalty)
{
	double sum = 0;

	for (size_t i = 0; i < r->n; i++) {
		double fit = 0, leverage = 1.0 / r->n, left;

		for (size_t k = 0; k < r->rank; k++) {
			double u = r->u[i * r->rank + k];
			double kept = r->squares[k] / (r->squares[k] + penalty);

			fit += u * kept * along[k];
			leverage += u * u * kept;
		}
		left = (y[i] - fit) / (1 - fmin(leverage, LEVERAGE_MOST));
		sum += left * left;
	}
	return sum;
}

double ridge_explains(const struct ridge *r, const double *y, const uint32_t *order)
{
	double *own = need(calloc(r->n + r->rank + 1, sizeof(*own))), *along = own + r->n;
	double mean = r->n ? gsl_stats_mean(y, 1, r->n) : NAN, alone = 0, least, most = 0;

	for (size_t i = 0; i < r->n; i++) {
		own[i] = y[order ? order[i] : i] - mean;
		most = fmax(most, fabs(y[i]));
		alone += own[i] * own[i];
		for (size_t k = 0; k < r->rank; k++)
			along[k] += r->u[i * r->rank + k] * own[i];
	}
	if (r->n < 3 || !(sqrt(alone / r->n) > SAME * most)) {
		free(own);
		return NAN;
	}
	alone *= pow(r->n / (r->n - 1.0), 2);
	least = alone;
	for (int i = 0; r->rank && i < PENALTIES; i++)
		least = fmin(
			least,
			press(r, own, along, r->squares[0] * PENALTY_LEAST * pow(PENALTY_STEP, i)));
	free(own);
	return 1 - least / alone;
}
