/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sample: a workload that was measured, and the result. */
#ifndef IOSPAN_BENCH_SAMPLE_H
#define IOSPAN_BENCH_SAMPLE_H

#include <stdbool.h>
#include "bpf/types.h"
#include "bench/model/workload.h"

struct sample {
	struct workload at;
	/* true: measured with io_uring, for depths above 1; false: with pread() and pwrite() */
	bool ring;
	double bandwidth; /* bandwidth in bytes per second */
	/* half the 95 % confidence interval, as a fraction of the bandwidth; NaN: unknown */
	double half_width;
	double iops, latency_mean_ns;
	bool steady;
	enum probe probe;
	/* true: the workload was measured twice, and the other fields have the faster result */
	bool again;
	u64 measured_ns;
	double size_cv; /* coefficient of variation of the request sizes; NaN: unknown */
	double others;	/* fraction of the processor time that other programs used */
	/* metrics of the layers "app", "vfs" and "device"; null: not measured */
	struct out *layers;
};

struct out *sample_json(const struct sample *p);

/* Returns p->half_width for calculations (Z95 standard deviations). If it is unknown, returns
 * SAMPLE_UNKNOWN. If the sample was not steady, returns at least 0.2 (HALF_NOT_STEADY). */
#define Z95 1.96
#define SAMPLE_UNKNOWN 0.2
double sample_half(const struct sample *p);

/* A list of samples. Pointers to samples stay valid when the list grows. */
struct samples {
	struct sample **list;
	unsigned n;
};

/* Adds a copy of @p to the list, and returns the copy. The list owns the copy and p->layers. */
const struct sample *samples_add(struct samples *all, const struct sample *p);
/* Replaces the sample of the same workload and engine by @p. The list owns p->layers. */
void samples_replace(struct samples *all, const struct sample *p);
/* Returns the sample of workload @w, with io_uring if @ring; NULL: there is none. */
const struct sample *samples_find(const struct samples *all, const struct workload *w, bool ring);
/* Adds all samples in the document @node, at any depth. Skips samples without a bandwidth, and
 * samples that are already in the list. */
void samples_read(struct samples *all, const struct out *node);
void samples_free(struct samples *all);

#endif
