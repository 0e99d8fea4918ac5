/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sample: one measured workload and its result. */
#ifndef IOSPAN_BENCH_SAMPLE_H
#define IOSPAN_BENCH_SAMPLE_H

#include <stdbool.h>
#include "bpf/types.h"
#include "bench/model/workload.h"

struct sample {
	struct workload at;
	bool ring;	  /* measured with io_uring, for depths above 1; false: pread(), pwrite() */
	double bandwidth; /* bandwidth in bytes per second */
	/* half-width of the bandwidth's 95 % interval / bandwidth; NaN: not known */
	double half_width;
	double iops, latency_mean_ns;
	bool steady;
	enum probe probe;
	bool again; /* measured twice: this sample is the faster measurement */
	u64 measured_ns;
	double others;	    /* fraction of the CPU time that other programs used */
	struct out *layers; /* metrics of the layers "app", "vfs", "device"; null if not measured */
};

struct out *sample_json(const struct sample *p);

/* Returns the half-width with which the evaluation calculates. It is SAMPLE_UNKNOWN if
 * p->half_width is not known, and at least HALF_NOT_STEADY if the sample was not steady. A
 * half-width is Z95 standard deviations. */
#define Z95 1.96
#define SAMPLE_UNKNOWN 0.2
double sample_half(const struct sample *p);

/* A list of samples. Pointers to samples stay valid when others are added. */
struct samples {
	struct sample **list;
	unsigned n;
};

/* Adds a copy of @p, which the list owns, and returns it. Takes ownership of p->layers. */
const struct sample *samples_add(struct samples *all, const struct sample *p);
/* Overwrites the sample with the same workload and engine by @p. Takes ownership of p->layers. */
void samples_replace(struct samples *all, const struct sample *p);
/* Returns the sample of @w with the engine @ring, or NULL. */
const struct sample *samples_find(const struct samples *all, const struct workload *w, bool ring);
/* Adds all samples that a document contains, at any depth. Skips samples without a bandwidth, and
 * those that @all has already. */
void samples_read(struct samples *all, const struct out *node);
void samples_free(struct samples *all);

#endif
