/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides if a measured rate, one value per interval (round), is in steady state, and computes the
 * confidence interval of its mean. A batch is successive rounds that are averaged. */
#ifndef IOSPAN_STEADY_H
#define IOSPAN_STEADY_H

#include <stdbool.h>

/* Steady state (SNIA Solid State Storage Performance Test Specification 2.0.2, definition 2.1.24).
 * Two conditions must hold over STEADY_WINDOW rounds. max - min is at most 20 % of the mean. The
 * least-squares line rises or falls by at most 10 % of the mean. */
#define STEADY_WINDOW 5
/* a benchmark stops waiting for steady state after this number of rounds */
#define STEADY_ROUNDS 25
#define STEADY_RANGE 0.20
#define STEADY_SLOPE 0.10

struct steady {
	double mean;  /* mean over the last STEADY_WINDOW rounds */
	double range; /* (max - min) / mean of the last STEADY_WINDOW rounds */
	/* rise or fall of the least-squares line over the last STEADY_WINDOW rounds, as a fraction
	 * of .mean */
	double slope;
	bool reached;
};

/* Tests if the last STEADY_WINDOW of the @n values @y are in steady state. If there are fewer
 * values than STEADY_WINDOW, .reached is false and the numbers of the result are NaN. */
struct steady steady_test(const double *y, unsigned n);

/* A mean with its 95 % confidence interval, by batch means (Law, Simulation Modeling and Analysis,
 * section 9.5.3). Successive rounds are correlated, so they are averaged in batches, and Student's
 * t is applied to the means of the batches. */
struct interval {
	double mean;
	/* half of the width of the confidence interval; NaN: there are too few rounds, that is,
	 * fewer than CI_BATCHES */
	double half_width;
	unsigned batches;
	/* correlation between each batch and the next batch; if it is well above 0, the confidence
	 * interval is too narrow */
	double correlation;
};
#define CI_BATCHES 10
#define CI_MOST 30

struct interval batch_means(const double *y, unsigned n);

#endif
