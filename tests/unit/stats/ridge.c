// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests ridge_explains(): the fraction of a quantity's variation that several columns explain
 * together. by_definition() computes the expected fraction. It predicts each row from all other
 * rows, by solving their normal equations. A penalty makes large coefficients smaller. */
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#include "user/stats/ridge.h"
#include "tests/lib/harness.h"

#define ROWS_MOST 40
#define COLUMNS_MOST 60

struct example {
	size_t n, p;
	double x[COLUMNS_MOST][ROWS_MOST], y[ROWS_MOST];
	const double *columns[COLUMNS_MOST];
};

static void make(struct example *e, size_t n, size_t p, size_t real, double noise, gsl_rng *rng)
{
	*e = (struct example){ .n = n, .p = p };
	for (size_t i = 0; i < n; i++)
		e->y[i] = 7 + noise * gsl_ran_gaussian(rng, 1);
	for (size_t j = 0; j < p; j++) {
		e->columns[j] = e->x[j];
		for (size_t i = 0; i < n; i++) {
			e->x[j][i] = 1e6 * (j + 1) + 1e3 * gsl_ran_gaussian(rng, 1);
			if (j < real)
				e->y[i] += (e->x[j][i] - 1e6 * (j + 1)) / 1e3;
		}
	}
}

static void centre_and_scale(const struct example *e, double to[COLUMNS_MOST][ROWS_MOST])
{
	for (size_t j = 0; j < e->p; j++) {
		double mean = 0, sum = 0;

		for (size_t i = 0; i < e->n; i++)
			mean += e->x[j][i] / e->n;
		for (size_t i = 0; i < e->n; i++)
			sum += pow(e->x[j][i] - mean, 2);
		for (size_t i = 0; i < e->n; i++)
			to[j][i] = (e->x[j][i] - mean) / sqrt(sum);
	}
}

/* Solves (Z'Z + penalty) b = Z'y without row @out of the data, and predicts that row. Column 0 of Z
 * is constant 1 and has no penalty. */
static double predicted(const struct example *e, double z[COLUMNS_MOST][ROWS_MOST], size_t out,
			double penalty)
{
	gsl_matrix *a = gsl_matrix_calloc(e->p + 1, e->p + 1);
	gsl_vector *b = gsl_vector_calloc(e->p + 1), *w = gsl_vector_alloc(e->p + 1);
	gsl_permutation *order = gsl_permutation_alloc(e->p + 1);
	double value;
	int sign;

	for (size_t i = 0; i < e->n; i++)
		for (size_t j = 0; i != out && j <= e->p; j++) {
			double left = j ? z[j - 1][i] : 1;

			*gsl_vector_ptr(b, j) += left * e->y[i];
			for (size_t k = 0; k <= e->p; k++)
				*gsl_matrix_ptr(a, j, k) += left * (k ? z[k - 1][i] : 1);
		}
	for (size_t j = 1; j <= e->p; j++)
		*gsl_matrix_ptr(a, j, j) += penalty;
	gsl_linalg_LU_decomp(a, order, &sign);
	gsl_linalg_LU_solve(a, order, b, w);
	value = gsl_vector_get(w, 0);
	for (size_t j = 0; j < e->p; j++)
		value += gsl_vector_get(w, j + 1) * z[j][out];
	gsl_matrix_free(a);
	gsl_vector_free(b);
	gsl_vector_free(w);
	gsl_permutation_free(order);
	return value;
}

/* Returns the largest eigenvalue of Z'Z, by power iteration. */
static double greatest(const struct example *e, double z[COLUMNS_MOST][ROWS_MOST])
{
	double v[ROWS_MOST], size = 1;

	for (size_t i = 0; i < e->n; i++)
		v[i] = sin(i + 1);
	for (int round = 0; round < 20000; round++) {
		double next[ROWS_MOST] = {}, sum = 0;

		for (size_t j = 0; j < e->p; j++) {
			double along = 0;

			for (size_t i = 0; i < e->n; i++)
				along += z[j][i] * v[i];
			for (size_t i = 0; i < e->n; i++)
				next[i] += along * z[j][i];
		}
		for (size_t i = 0; i < e->n; i++)
			sum += next[i] * next[i];
		size = sqrt(sum);
		for (size_t i = 0; i < e->n; i++)
			v[i] = next[i] / size;
	}
	return size;
}

static double by_definition(const struct example *e)
{
	static double z[COLUMNS_MOST][ROWS_MOST];
	double alone = 0, least, all = 0, top;

	centre_and_scale(e, z);
	top = greatest(e, z);
	for (size_t i = 0; i < e->n; i++)
		all += e->y[i];
	for (size_t i = 0; i < e->n; i++)
		alone += pow(e->y[i] - (all - e->y[i]) / (e->n - 1), 2);
	least = alone;
	for (int k = 0; k < 15; k++) {
		double press = 0;

		for (size_t i = 0; i < e->n; i++)
			press += pow(e->y[i] - predicted(e, z, i, top * pow(10, -5 + 0.5 * k)), 2);
		least = fmin(least, press);
	}
	return 1 - least / alone;
}

static double explained(const struct example *e)
{
	struct ridge *r = ridge_new(e->n, e->p, e->columns);
	double value = ridge_explains(r, e->y, NULL);

	ridge_free(r);
	return value;
}

TEST(each_row_left_out)
{
	static const struct {
		size_t n, p, real;
		double noise;
	} of[] = {
		{ 12, 1, 1, 0.5 },  { 30, 4, 2, 1 },	{ 40, 10, 3, 2 }, { 40, 39, 5, 1 },
		{ 20, 20, 2, 0.2 }, { 15, 60, 1, 0.1 }, { 40, 4, 0, 1 },  { 3, 1, 1, 0.1 },
	};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	static struct example e;

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		make(&e, of[i].n, of[i].p, of[i].real, of[i].noise, rng);
		EXPECT_NEAR(explained(&e), by_definition(&e), 1e-7);
	}
	gsl_rng_free(rng);
}

/* Two columns have equal effects. One of them explains about half of y, both together explain
 * nearly all of it. */
TEST(together_more_than_alone)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	static struct example e;
	double both, first;

	make(&e, 40, 2, 2, 0.05, rng);
	both = explained(&e);
	e.p = 1;
	first = explained(&e);
	EXPECT_TRUE(both > 0.99);
	EXPECT_TRUE(first > 0.1 && first < 0.9);
	gsl_rng_free(rng);
}

/* y depends on no column, so the mean is the best prediction, and the columns explain nothing. */
TEST(noise_explains_nothing)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	static struct example e;
	double sum = 0;

	for (int i = 0; i < 50; i++) {
		make(&e, 30, 20, 0, 1, rng);
		sum += explained(&e);
	}
	EXPECT_TRUE(sum / 50 < 0.06);
	gsl_rng_free(rng);
}

TEST(an_order_is_that_of_the_values)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	static struct example e;
	uint32_t order[ROWS_MOST];
	double mixed[ROWS_MOST];
	struct ridge *r;

	make(&e, 25, 3, 2, 1, rng);
	for (size_t i = 0; i < e.n; i++) {
		order[i] = (i * 7 + 3) % e.n;
		mixed[i] = e.y[order[i]];
	}
	r = ridge_new(e.n, e.p, e.columns);
	EXPECT_NEAR(ridge_explains(r, e.y, order), ridge_explains(r, mixed, NULL), 1e-12);
	EXPECT_TRUE(fabs(ridge_explains(r, e.y, order) - ridge_explains(r, e.y, NULL)) > 0.1);
	ridge_free(r);
	gsl_rng_free(rng);
}

TEST(without_anything_to_explain)
{
	static const double same[] = { 3, 3, 3, 3 }, grows[] = { 1, 2, 3, 4 };
	const double *columns[] = { same, grows };
	struct ridge *r = ridge_new(4, 1, columns);

	EXPECT_NEAR(ridge_explains(r, grows, NULL), 0, 0); /* the only column is constant */
	ridge_free(r);
	r = ridge_new(4, 2, columns);
	EXPECT_TRUE(isnan(ridge_explains(r, same, NULL)));
	EXPECT_TRUE(ridge_explains(r, grows, NULL) > 0.99);
	ridge_free(r);
	r = ridge_new(2, 2, columns);
	EXPECT_TRUE(isnan(ridge_explains(r, grows, NULL)));
	ridge_free(r);
	r = ridge_new(0, 0, NULL);
	EXPECT_TRUE(isnan(ridge_explains(r, grows, NULL)));
	ridge_free(r);
	ridge_free(NULL);
}

TEST_MAIN
