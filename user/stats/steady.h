/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides if a rate is in steady state, and computes the confidence interval of its mean. The input
 * is one value for each interval of the load, which is called a round. */
#ifndef IOSPAN_STEADY_H
#define IOSPAN_STEADY_H

#include <stdbool.h>

/* Limits of SNIA Solid State Storage Performance Test Specification 2.0.2, definition 2.1.24. In
 * steady state, over the last STEADY_WINDOW rounds, max - min is at most 20 % of the mean, and the
 * least-squares line rises or falls by at most 10 % of the mean. */
#define STEADY_WINDOW 5
#define STEADY_ROUNDS 25 /* largest number of rounds to wait for the steady state */
#define STEADY_RANGE 0.20
#define STEADY_SLOPE 0.10

struct steady {
	double mean;  /* mean over the last STEADY_WINDOW rounds */
	double range; /* (max - min) / mean */
	double slope; /* |slope of the line| * (STEADY_WINDOW - 1) / mean */
	bool reached;
};

/* Tests the last STEADY_WINDOW of the @n rounds @y. If there are fewer, the steady state is not
 * reached. */
struct steady steady_test(const double *y, unsigned n);

/* A mean and the half-width of its 95 % confidence interval, by batch means (Law, Simulation
 * Modeling and Analysis, section 9.5.3). Successive rounds are correlated. So they are averaged in
 * batches, and Student's t is applied to the means of the batches. */
struct interval {
	double mean;
	double half_width; /* NaN if there are fewer than CI_BATCHES rounds */
	unsigned batches;
	/* correlation of successive batches; if it is well above 0, the interval is too narrow */
	double correlation;
};
#define CI_BATCHES 10
#define CI_MOST 30

struct interval batch_means(const double *y, unsigned n);

#endif
