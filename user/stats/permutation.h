/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Permutation test: pairs the numbers of two quantities at random, and counts how often their
 * dependence is as strong as the observed one. */
#ifndef IOSPAN_PERMUTATION_H
#define IOSPAN_PERMUTATION_H

#include <stddef.h>
#include <stdint.h>

/* Computes a measure of dependence of number i and the other's number @order[i] (NULL: i). */
typedef double permutation_fn(const void *arg, const uint32_t *order);

struct permutations {
	unsigned n; /* number of random pairings tried */
	/* mean over the random pairings, converted by the permutation_shown function */
	double mean;
	/* (b + 1) / (n + 1), with b random pairings of at least the observed measure (Phipson and
	 * Smyth 2010, Statistical Applications in Genetics and Molecular Biology 9, 39) */
	double p;
};

/* Converts a measure to the number shown, such as nats to 0..1. It must not decrease. */
typedef double permutation_shown(double strength);
permutation_shown permutation_as_it_is;

/* Computes @fn for @n random pairings of @count numbers, drawn from @seed. @mean and @p are NaN if
 * the observed measure is NaN or @n is 0. */
struct permutations permutations_try(size_t count, unsigned n, uint64_t seed, permutation_fn *fn,
				     permutation_shown *shown, const void *arg);

#endif
