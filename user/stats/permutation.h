/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Permutation test of a measure of association. The measure is computed again for pairs that are
 * formed at random. */
#ifndef IOSPAN_PERMUTATION_H
#define IOSPAN_PERMUTATION_H

#include <stddef.h>
#include <stdint.h>

/* Returns the measure for the data @arg, after one of the two quantities was put in the order
 * @order. If @order is NULL, the quantity keeps its order. */
typedef double permutation_fn(const void *arg, const uint32_t *order);

struct permutations {
	unsigned n;  /* number of random orders tried */
	double mean; /* mean over these orders, converted by permutation_shown */
	/* (b + 1) / (n + 1), where b is the number of orders with at least the observed measure
	 * (Phipson and Smyth 2010, Statistical Applications in Genetics and Molecular Biology 9,
	 * 39) */
	double p;
};

/* Converts a measure to the number that is reported. The function must be monotone: a larger
 * measure must not give a smaller number. */
typedef double permutation_shown(double strength);
permutation_shown permutation_as_it_is;

/* Computes the measure for @n random orders of @count numbers, drawn from @seed. @mean and @p of
 * the result are NaN if the measure is NaN or @n is 0. */
struct permutations permutations_try(size_t count, unsigned n, uint64_t seed, permutation_fn *fn,
				     permutation_shown *shown, const void *arg);

#endif
