/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mutual information of two quantities, in nats: the reduction of uncertainty about one if the
 * other is known, for any form of dependence. */
#ifndef IOSPAN_INFORMATION_H
#define IOSPAN_INFORMATION_H

#include <stddef.h>
#include <stdint.h>

#define INFORMATION_NEAREST 3
#define INFORMATION_MOST_BINS 1000

/* ---- estimate from nearest neighbours, for finite numbers ---- */

/* Prepares pairs of @n numbers, each quantity scaled to a standard deviation of 1. The estimate
 * needs different numbers: a quantity with equal ones gets normal noise of 1e-10, from @seed. */
struct neighbours;
struct neighbours *neighbours_new(size_t n, const double *x, const double *y, uint64_t seed);
void neighbours_free(struct neighbours *s);

/* Returns the estimate from the @k nearest neighbours of each pair (Kraskov, Stoegbauer and
 * Grassberger 2004, Physical Review E 69, 066138, equation 8). Number i of x and number @order[i]
 * of y are a pair; @order NULL: number i of both. May be below 0, for independent quantities in
 * about half of the cases. NaN if a quantity is constant, or there are not more than @k pairs. */
double neighbours_information(const struct neighbours *s, unsigned k, const uint32_t *order);

/* Converts mutual information I to 0 to 1: sqrt(1 - exp(-2 I)), which is |r| of two normal
 * quantities with this I (Linfoot 1957, Information and Control 1, 85-89). 0 if I is below 0. */
double information_linfoot(double nats);

/* ---- estimate from labels, such as bins ---- */

struct shared_entropy {
	double information; /* mutual information */
	double a, b;	    /* entropies */
};

/* Each label is below @labels. NaN if @n is 0. */
struct shared_entropy information_of_labels(size_t n, const uint32_t *a, const uint32_t *b,
					    uint32_t labels);

/* Returns 2 I / (H(a) + H(b)), 0 to 1 (NMI_sum of Vinh, Epps and Bailey 2010, Journal of Machine
 * Learning Research 11, 2837-2854, table 2). 1 if both entropies are 0. */
double information_normalised(struct shared_entropy e);

/* Sets @labels to the bin of each number: @bins of equal width, from the minimum to the maximum. */
void information_bins(size_t n, const double *v, uint32_t bins, uint32_t *labels);

#endif
