/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how well the I/O time of a job is predicted from the I/O of the system, against the
 * number of jobs from which the model is made: the question that section VII of Madireddy and
 * others 2017 leaves open. */
#ifndef IOSPAN_CORRELATE_PREDICTION_H
#define IOSPAN_CORRELATE_PREDICTION_H

#include <stdio.h>
#include "bpf/types.h"

struct correlation_study;
struct out;

#define PREDICTION_ROWS 16

/* Mean absolute errors in seconds, of the prediction by ... */
struct prediction_row {
	u32 jobs;	 /* number of jobs from which the models are made */
	double mean_s;	 /* their mean I/O time, without the I/O of the system */
	double forest_s; /* a random forest */
	double median_s; /* the median of a kernel density; NaN: it is not defined */
};

struct prediction {
	u32 column; /* column of the system data: the first of the examined I/O time */
	struct prediction_row rows[PREDICTION_ROWS];
	u32 rows_n; /* 0: too few jobs */
};

void prediction_compute(struct prediction *p, const struct correlation_study *c);
struct out *prediction_json(const struct prediction *p, const struct correlation_study *c);
/* Plots the errors in c->prediction. Returns 0 or -errno; prints the error. */
int prediction_html(FILE *f, const struct correlation_study *c);

#endif
