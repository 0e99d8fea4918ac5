/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Permutation test: could a dependence between two quantities be chance? The test pairs the numbers
 * of the quantities at random, many times. It counts the pairings in which the dependence is at
 * least as strong as the observed one. */
#ifndef IOSPAN_PERMUTATION_H
#define IOSPAN_PERMUTATION_H

#include <stddef.h>
#include <stdint.h>

/* Returns a measure of dependence, such as a correlation. Pairs number i of the first quantity with
 * number @order[i] of the second quantity, or with number i if @order is NULL. @arg is the argument
 * of permutations_try(). */
typedef double permutation_fn(const void *arg, const uint32_t *order);

struct permutations {
	unsigned n; /* number of random pairings tried */
	/* mean of the measures of the random pairings, each converted to the number that the report
	 * shows (permutation_shown) */
	double mean;
	/* p-value: (b + 1) / (n + 1), where n is the number of random pairings. b counts the
	 * pairings in which the measure is at least as large as the observed one (Phipson and Smyth
	 * 2010, Statistical Applications in Genetics and Molecular Biology 9, 39). */
	double p;
};

/* Converts a measure to the number that the report shows. For example, converts mutual information
 * in nats to a number from 0 to 1. A larger measure must give a larger or equal number. */
typedef double permutation_shown(double strength);
permutation_shown permutation_as_it_is;

/* Computes the measure @fn for @n random pairings of the numbers, with the random seed @seed.
 * @count is the number of pairs. @arg is passed to @fn. .mean of the result is the mean of the
 * measures, each converted by @shown. If the observed measure is NaN or @n is 0, .mean and .p are
 * NaN. */
struct permutations permutations_try(size_t count, unsigned n, uint64_t seed, permutation_fn *fn,
				     permutation_shown *shown, const void *arg);

#endif
