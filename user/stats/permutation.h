/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What chance does to a measure: the same measure of pairs that were put together at random. */
#ifndef IOSPAN_PERMUTATION_H
#define IOSPAN_PERMUTATION_H

#include <stddef.h>
#include <stdint.h>

/* How strong what @arg is of is, if the one of its sides has the order @order; NULL: its own. */
typedef double permutation_fn(const void *arg, const uint32_t *order);

struct permutations {
	unsigned n;  /* of @n random orders */
	double mean; /* of the measure in them */
	double p;    /* how likely chance makes it as strong as it is: (b + 1) /
					 * (n + 1), where b of n orders do (Phipson and Smyth 2010) */
};

/* How strong that is said to be: of what is stronger it is not less. */
typedef double permutation_shown(double strength);
permutation_shown permutation_as_it_is;

/* Tries @n orders of @count numbers; the same for the same @seed. The mean is of what is shown,
 * p of what it is made of. NaN: there is no measure, or @n is 0. */
struct permutations permutations_try(size_t count, unsigned n, uint64_t seed, permutation_fn *fn,
				     permutation_shown *shown, const void *arg);

#endif
