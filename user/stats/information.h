/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the mutual information of two quantities, in nats. It is the amount by which the
 * uncertainty about one quantity shrinks if the other quantity is known, so it detects any form of
 * dependence. */
#ifndef IOSPAN_INFORMATION_H
#define IOSPAN_INFORMATION_H

#include <stddef.h>
#include <stdint.h>

#define INFORMATION_NEAREST 3
#define INFORMATION_MOST_BINS 1000

/* @n pairs of numbers (@x[i], @y[i]), prepared for the estimate. Each quantity is scaled to a
 * standard deviation of 1. The estimate requires that no two numbers of a quantity are equal. If
 * some are equal, each number of this quantity gets normal noise with a standard deviation of
 * 1e-10, drawn from @seed. */
struct neighbours;
struct neighbours *neighbours_new(size_t n, const double *x, const double *y, uint64_t seed);
void neighbours_free(struct neighbours *s);

/* Estimates the mutual information of the pairs (x[i], y[@order[i]]) from @k nearest neighbours
 * (Kraskov, Stoegbauer and Grassberger 2004, Physical Review E 69, 066138, equation 8). If @order
 * is NULL, the pairs are (x[i], y[i]). For independent quantities, the estimate is below 0 in about
 * half of the cases. Returns NaN if all x or all y are equal, or if there are at most @k pairs. */
double neighbours_information(const struct neighbours *s, unsigned k, const uint32_t *order);

/* Converts mutual information I in nats to a number from 0 to 1: sqrt(1 - exp(-2 I)). For two
 * normally distributed quantities, this is |r|, the absolute correlation (Linfoot 1957, Information
 * and Control 1, 85-89). Returns 0 if I is below 0. */
double information_linfoot(double nats);

struct shared_entropy {
	double information; /* mutual information of the quantities a and b, in nats */
	double a, b;	    /* entropy of quantity a and of quantity b, in nats */
};

/* Returns the entropies and the mutual information of two quantities, from @n observations. @a[i]
 * and @b[i] are the labels of observation i, such as numbers of bins. All labels are below @labels.
 * The results are NaN if @n is 0. */
struct shared_entropy information_of_labels(size_t n, const uint32_t *a, const uint32_t *b,
					    uint32_t labels);

/* Returns the mutual information I divided by the mean of the two entropies: 2 I / (H(a) + H(b)),
 * from 0 to 1 (NMI_sum of Vinh, Epps and Bailey 2010, Journal of Machine Learning Research 11,
 * 2837-2854, table 2). Returns 1 if both entropies are 0. */
double information_normalised(struct shared_entropy e);

/* Divides the range of the @n numbers @v into @bins bins of equal width. Sets @labels[i] to the
 * number of the bin of @v[i], from 0 to @bins - 1. */
void information_bins(size_t n, const double *v, uint32_t bins, uint32_t *labels);

#endif
