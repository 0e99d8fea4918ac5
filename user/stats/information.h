/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mutual information of pairs of finite numbers, in nats: how much less is unknown of one of
 * the two when the other is known, whatever curve they follow. */
#ifndef IOSPAN_INFORMATION_H
#define IOSPAN_INFORMATION_H

#include <stddef.h>
#include <stdint.h>

#define INFORMATION_NEAREST 3
#define INFORMATION_MOST_BINS 1000

/* ---- by the nearest neighbours ---- */

/* Both sides, each by its standard deviation. Equal numbers have no neighbours to tell apart:
 * a side that has such gets noise of 1e-10, the same for the same @seed. */
struct neighbours;
struct neighbours *neighbours_new(size_t n, const double *x, const double *y, uint64_t seed);
void neighbours_free(struct neighbours *s);

/* What @k neighbours of each pair say (Kraskov, Stoegbauer and Grassberger 2004, equation 8),
 * of pairs of x's number i and y's number @order[i]; NULL: i. Of what is independent it is as
 * often below 0 as above. NaN: one side is constant, or there are not more than @k pairs. */
double neighbours_information(const struct neighbours *s, unsigned k, const uint32_t *order);

/* From 0 to 1: the coefficient of correlation that two normal distributions with so much in
 * common have (Linfoot 1957); of what is below 0 that is 0. */
double information_linfoot(double nats);

/* ---- of labels ---- */

struct shared_entropy {
	double information; /* that both have in common */
	double a, b;	    /* entropy of each */
};

/* Labels below @labels. NaN: there is none. */
struct shared_entropy information_of_labels(size_t n, const uint32_t *a, const uint32_t *b,
					    uint32_t labels);

/* From 0 to 1: by the mean of both entropies. If none of the two tells anything, that is the
 * same of both: 1. */
double information_normalised(struct shared_entropy e);

/* Labels of @bins intervals of the same width, from the least of @v to the greatest. */
void information_bins(size_t n, const double *v, uint32_t bins, uint32_t *labels);

#endif
