/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predicts the I/O time of a recorded job on a disk that bench scale has measured.
 *
 * The job is divided into behaviours (tools/characterize). Each is a workload, for which BPS is
 * predicted (bench/model). T of a behaviour is its blocks / BPS. T of the job is the sum, so it is
 * too large if behaviours overlap; they rarely do, as a behaviour is a set of windows of successive
 * accesses.
 *
 * If the disk on which the job was recorded was measured, too, the recorded T of each behaviour is
 * multiplied by the ratio of both predictions. Errors that both predictions have cancel.
 *
 * W, the time in which the program waits (Documentation/metrics.rst), has a part in which the
 * device works, and a rest. The rest is assumed not to change. The part is assumed to change like T
 * of the device layer. The program is assumed to compute for the same time. */
#ifndef IOSPAN_FORECAST_H
#define IOSPAN_FORECAST_H

#include "bench/model/predict.h"
#include "tools/characterize/job.h"

struct forecast_part {
	struct behaviour *behaviour;
	struct prediction here; /* on the disk in question */
	double recorded_ns;	/* T */
	struct estimate span_ns;
};

struct forecast {
	const struct model *m, *home; /* .home: of the disk of the recording; NULL: unknown */
	struct forecast_part parts[BEHAVIOURS_MAX];
	unsigned n;
	/* bandwidth is used in place of BPS, because the result has no BPS of the layer */
	bool by_bandwidth;
	/* T, W, elapsed time, and rates of the whole job */
	struct estimate span_ns, wait_ns, elapsed_ns, bps, bandwidth;
};

/* Predicts the accesses of @layer of the job @j on the disk of @m. @home: see struct forecast. The
 * workload of the layer must be known (job_workload_reason()). @j, @m and @home must stay valid as
 * long as @f. */
void forecast_make(struct forecast *f, struct job *j, enum layer layer, const struct model *m,
		   const struct model *home);

/* T, W, elapsed time, and rates of the recording. W is NaN if no wait was recorded. */
void forecast_recorded(struct forecast *f, const struct job *j, enum layer layer);

#endif
