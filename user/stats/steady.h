/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When a rate has settled, and how sure it is: from one value per round. */
#ifndef IOSPAN_STEADY_H
#define IOSPAN_STEADY_H

#include <stdbool.h>

/* SNIA Solid State Storage Performance Test Specification 2.0.2, definition 2.1.24:
 * over the last STEADY_WINDOW rounds the values stay within 20 % of their mean, and
 * the least-squares line through them within 10 %. */
#define STEADY_WINDOW 5
#define STEADY_ROUNDS 25 /* it is given up then */
#define STEADY_RANGE 0.20
#define STEADY_SLOPE 0.10

struct steady {
	double mean;  /* of the window */
	double range; /* (max - min) / mean */
	double slope; /* |slope| * (window - 1) / mean */
	bool reached;
};

/* Of the last rounds of @y; not reached with fewer than a window of them. */
struct steady steady_test(const double *y, unsigned n);

/* A mean with the half-width of its 95 % confidence interval, by batch means: rounds
 * that follow each other are alike, so they are put together into batches that are not,
 * and Student's t over these says the rest (Law, Simulation Modeling and Analysis, 9.5.3). */
struct interval {
	double mean;
	double half_width; /* NaN with less than CI_BATCHES rounds */
	unsigned batches;
	double correlation; /* of neighbouring batches: much above 0, and the interval
				 * is too narrow */
};
#define CI_BATCHES 10
#define CI_MOST 30

struct interval batch_means(const double *y, unsigned n);

#endif
