/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predicts the I/O time of a recorded job on disks that bench scale has measured. T is the time in
 * which at least one access is in flight, and BPS is the number of blocks / T.
 *
 * The job is divided into behaviours (tools/characterize). Each behaviour is a workload, for which
 * BPS is predicted (bench/model). The predicted T of a behaviour is its number of blocks / BPS. The
 * predicted T of the job is the sum over its behaviours. If behaviours overlapped in the recording,
 * the sum is reduced by the same ratio as in the recording.
 *
 * If the disk of the recording was measured, too, T of a behaviour is its recorded T, multiplied by
 * the ratio of the predictions for both disks. Errors that both predictions have in common cancel.
 *
 * W is the time in which the program waits for I/O (Documentation/metrics.rst). The part of W in
 * which accesses of the predicted layer are in flight is assumed to change like T. The rest of W,
 * and the time in which the program computes, are assumed to stay the same. */
#ifndef IOSPAN_FORECAST_H
#define IOSPAN_FORECAST_H

#include "bench/model/predict.h"
#include "tools/characterize/job.h"

/* The prediction for behaviour number i of the job. The workload of the behaviour is
 * forecasts.at[i]. */
struct forecast_part {
	/* bit p: parameter p of the behaviour is outside the measured range, or differs from its
	 * only measured value */
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
	/* true: a workload of the job had no device accesses in the benchmark, because the page
	 * cache served it */
	bool is_cached;
	struct forecast_part parts[BEHAVIOURS_MAX];
	struct job_times all;
};

/* A job's accesses in one layer, and the predicted time of these accesses on several disks. */
struct forecasts {
	struct job *job;
	enum layer layer;
	/* model of the disk on which the job was recorded; NULL: unknown */
	const struct model *home;
	struct job_times recorded;
	/* Part of the recorded W in which syncs, but no reads and writes of the layer, are in
	 * flight. The prediction does not change this part. */
	double syncs_ns;
	const struct job_workload *workload; /* the job's workload in the layer .layer */
	/* for each behaviour: its workload, and T in the recording */
	struct workload at[BEHAVIOURS_MAX];
	double recorded_ns[BEHAVIOURS_MAX];
	struct forecast *of; /* one per disk */
	unsigned n;
	/* a result from which BPS of this layer cannot be predicted. NULL: there is none. If there
	 * is one, the bandwidth is predicted for all disks instead of BPS. */
	const struct model *without_bps;
};

/* Predicts the job on f->n disks. models[i] is the result of bench scale for disk i. The caller
 * sets .job, .layer, .home and .n, and calls forecasts_release(). The workload of the layer must be
 * known (job_workload_reason()). If no prediction can be made from a result, prints an error and
 * returns -ENODATA. */
int forecasts_make(struct forecasts *f, struct model *const *models);
void forecasts_release(struct forecasts *f);

#endif
