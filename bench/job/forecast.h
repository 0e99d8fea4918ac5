/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predicts the I/O time of a recorded job on disks that bench scale has measured.
 *
 * The job is divided into behaviours (tools/characterize). Each is a workload, for which BPS is
 * predicted (bench/model). T of a behaviour is its blocks / BPS. T of the job is the sum, multiplied
 * by the recorded T of the job / the sum of the recorded T of the behaviours, as behaviours may
 * overlap.
 *
 * If the disk on which the job was recorded was measured, too, the recorded T of each behaviour is
 * multiplied by the ratio of both predictions. Errors that both predictions have cancel.
 *
 * W, the time in which the program waits (Documentation/metrics.rst), has a part in which reads or
 * writes of the predicted layer are in flight, and a rest, which is assumed not to change. The part
 * is assumed to change like T. The program is assumed to compute for the same time. */
#ifndef IOSPAN_FORECAST_H
#define IOSPAN_FORECAST_H

#include "bench/model/predict.h"
#include "tools/characterize/job.h"

/* The prediction for behaviour number i of the job, which is the workload forecasts.at[i]. */
struct forecast_part {
	/* bit p: the behaviour's value of parameter p was not measured; it is outside the measured
	 * range, or it differs from the only measured value */
	unsigned outside;
	bool at_border;
	struct estimate span_ns; /* T */
};

/* T, W, elapsed time and rates of a job. W is NaN if it is unknown. */
struct job_times {
	struct estimate span_ns, wait_ns, elapsed_ns, bps, bandwidth;
};

struct forecast {
	const struct model *m;
	struct forecast_part parts[BEHAVIOURS_MAX];
	struct job_times all;
};

/* The predictions of the accesses of a layer of a job, for several disks. */
struct forecasts {
	struct job *job;
	enum layer layer;
	const struct model *home; /* of the disk of the recording; NULL: unknown */
	struct job_times recorded;
	const struct job_workload *workload; /* of the layer */
	/* for each behaviour: its workload, and T in the recording */
	struct workload at[BEHAVIOURS_MAX];
	double recorded_ns[BEHAVIOURS_MAX];
	struct forecast *of; /* one per disk */
	unsigned n;
	/* a result without BPS of the layer for some workload, so bandwidth is used; NULL: none */
	const struct model *without_bps;
};

/* Predicts for the disks of models[0] to models[f->n - 1]. The caller sets .job, .layer, .home and
 * .n, and calls forecasts_release(). The workload of the layer must be known
 * (job_workload_reason()). Returns -ENODATA, with an error message, if a result predicts
 * nothing. */
int forecasts_make(struct forecasts *f, struct model *const *models);
void forecasts_release(struct forecasts *f);

#endif
