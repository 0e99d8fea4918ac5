/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Permutation test of a measure of association: the measure is computed again for pairs formed at
 * random. */
#ifndef IOSPAN_PERMUTATION_H
#define IOSPAN_PERMUTATION_H

#include <stddef.h>
#include <stdint.h>

/* Returns the measure of @arg with one of its quantities in order @order; NULL: in its own. */
typedef double permutation_fn(const void *arg, const uint32_t *order);

struct permutations {
	unsigned n;  /* random orders tried */
	double mean; /* mean of the reported measure over these orders */
	double p;    /* (b + 1) / (n + 1), where b orders have at least the observed measure
					 * (Phipson and Smyth 2010, Statistical Applications
					 * in Genetics and Molecular Biology 9, 39) */
};

/* Converts a measure to the value reported. It must not decrease when the measure grows. */
typedef double permutation_shown(double strength);
permutation_shown permutation_as_it_is;

/* Tries @n orders of @count numbers, drawn from @seed. Mean and p are NaN if the measure is NaN or
 * @n is 0. */
struct permutations permutations_try(size_t count, unsigned n, uint64_t seed, permutation_fn *fn,
				     permutation_shown *shown, const void *arg);

#endif
