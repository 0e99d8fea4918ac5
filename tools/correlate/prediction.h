/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how well the I/O time of a job can be predicted from the I/O of the system, if a model is
 * made from few or many jobs. Section VII of Madireddy and others 2017 leaves this question
 * open. */
#ifndef IOSPAN_CORRELATE_PREDICTION_H
#define IOSPAN_CORRELATE_PREDICTION_H

#include <stdio.h>
#include "bpf/types.h"

struct correlation_study;
struct out;

#define PREDICTION_ROWS 16

/* Mean absolute errors of predictions by several methods, in seconds. */
struct prediction_row {
	u32 jobs; /* number of jobs from which the models are made */
	/* error if each prediction is the mean I/O time of the jobs in the model */
	double mean_s;
	double forest_s; /* error of a random forest */
	/* error if each prediction is the median of a kernel density estimate; NaN: the density is
	 * not defined */
	double median_s;
};

struct prediction {
	/* column of the system data from which the I/O time is predicted; correlated_strongest()
	 * chooses it */
	u32 column;
	struct prediction_row rows[PREDICTION_ROWS];
	u32 rows_n; /* number of elements of .rows; 0: too few jobs */
};

void prediction_compute(struct prediction *p, const struct correlation_study *c);
struct out *prediction_json(const struct prediction *p, const struct correlation_study *c);
/* Plots the errors of the predictions. Returns 0 or -errno; prints the error. */
int prediction_html(FILE *f, const struct correlation_study *c);

#endif
