/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mutual information of two quantities, in nats: by how much the uncertainty about one of them is
 * reduced if the other is known. It covers any form of dependence. */
#ifndef IOSPAN_INFORMATION_H
#define IOSPAN_INFORMATION_H

#include <stddef.h>
#include <stdint.h>

#define INFORMATION_NEAREST 3
#define INFORMATION_MOST_BINS 1000

/* ---- estimate from nearest neighbours, for finite numbers ---- */

/* Prepares @n pairs of numbers. Scales each quantity to a standard deviation of 1. The estimate
 * requires that all numbers of a quantity are different. So if some are equal, adds normal noise
 * with a standard deviation of 1e-10, drawn from @seed. */
struct neighbours;
struct neighbours *neighbours_new(size_t n, const double *x, const double *y, uint64_t seed);
void neighbours_free(struct neighbours *s);

/* Returns the mutual information, estimated from the @k nearest neighbours of each pair (Kraskov,
 * Stoegbauer and Grassberger 2004, Physical Review E 69, 066138, equation 8). Number i of x and
 * number @order[i] of y are a pair; if @order is NULL, number i of both. The estimate may be below
 * 0; for independent quantities it is in about half of the cases. Returns NaN if a quantity is
 * constant, or if there are not more than @k pairs. */
double neighbours_information(const struct neighbours *s, unsigned k, const uint32_t *order);

/* Converts mutual information I to a number from 0 to 1: sqrt(1 - exp(-2 I)). For two normally
 * distributed quantities this is |r| (Linfoot 1957, Information and Control 1, 85-89). Returns 0 if
 * I is below 0. */
double information_linfoot(double nats);

/* ---- estimate from labels, such as numbers of bins ---- */

struct shared_entropy {
	double information; /* mutual information of both quantities, in nats */
	double a, b;	    /* entropy of each quantity, in nats */
};

/* Returns the mutual information and the entropies of two quantities that are given as @n labels
 * each. Each label is below @labels. The results are NaN if @n is 0. */
struct shared_entropy information_of_labels(size_t n, const uint32_t *a, const uint32_t *b,
					    uint32_t labels);

/* Returns the normalised mutual information 2 I / (H(a) + H(b)), from 0 to 1 (NMI_sum of Vinh, Epps
 * and Bailey 2010, Journal of Machine Learning Research 11, 2837-2854, table 2). Returns 1 if both
 * entropies are 0. */
double information_normalised(struct shared_entropy e);

/* Sets @labels[i] to the number of the bin of @v[i]. There are @bins bins of equal width, from the
 * minimum to the maximum. */
void information_bins(size_t n, const double *v, uint32_t bins, uint32_t *labels);

#endif
