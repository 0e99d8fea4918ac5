/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steady state of a rate, and the confidence interval of its mean, from one value per interval of
 * the load ("round"). */
#ifndef IOSPAN_STEADY_H
#define IOSPAN_STEADY_H

#include <stdbool.h>

/* SNIA Solid State Storage Performance Test Specification 2.0.2, definition 2.1.24: over the last
 * STEADY_WINDOW rounds, (max - min) is at most 20 % of the mean, and the least-squares line rises
 * or falls by at most 10 % of the mean. */
#define STEADY_WINDOW 5
#define STEADY_ROUNDS 25 /* largest number of rounds to wait for the steady state */
#define STEADY_RANGE 0.20
#define STEADY_SLOPE 0.10

struct steady {
	double mean;  /* of the window */
	double range; /* (max - min) / mean */
	double slope; /* |slope| * (window - 1) / mean */
	bool reached;
};

/* Tests the last rounds of @y. Not reached if there are fewer than STEADY_WINDOW. */
struct steady steady_test(const double *y, unsigned n);

/* A mean and the half-width of its 95 % confidence interval by batch means (Law, Simulation
 * Modeling and Analysis, section 9.5.3): successive rounds are correlated, so they are averaged in
 * batches, and Student's t is applied to the means of the batches. */
struct interval {
	double mean;
	double half_width; /* NaN with fewer than CI_BATCHES rounds */
	unsigned batches;
	double correlation; /* of successive batches; if it is well above 0, the interval is too
				 * narrow */
};
#define CI_BATCHES 10
#define CI_MOST 30

struct interval batch_means(const double *y, unsigned n);

#endif
