/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A measured workload and its result. */
#ifndef IOSPAN_BENCH_SAMPLE_H
#define IOSPAN_BENCH_SAMPLE_H

#include <stdbool.h>
#include "bpf/types.h"
#include "bench/model/workload.h"

struct sample {
	struct workload at;
	bool ring;	   /* io_uring, needed for depths above 1; else pread(), pwrite() */
	double bandwidth;  /* bytes per second */
	double half_width; /* half-width of its 95 % interval, as a fraction; NaN: not known */
	double iops, latency_mean_ns;
	bool steady;
	enum probe probe;
	bool again; /* the better of two measurements */
	u64 measured_ns;
	double others;	    /* fraction of the CPU time that other programs used */
	struct out *layers; /* "app", "vfs", "device": all metrics, or null */
};

struct out *sample_json(const struct sample *p);

/* The half-width that counts: SAMPLE_UNKNOWN if it is not known, and at least HALF_NOT_STEADY if
 * the sample was not steady. Half of a 95 % interval is Z95 standard deviations. */
#define Z95 1.96
#define SAMPLE_UNKNOWN 0.2
double sample_half(const struct sample *p);

/* Pointers to elements stay valid when others are added. */
struct samples {
	struct sample **list;
	unsigned n;
};

/* Adds a copy of @p; takes ownership of p->layers. */
const struct sample *samples_add(struct samples *all, const struct sample *p);
/* Overwrites the sample of the same workload by @p; takes ownership of p->layers. */
void samples_replace(struct samples *all, const struct sample *p);
/* Returns NULL if there is none. */
const struct sample *samples_find(const struct samples *all, const struct workload *w, bool ring);
/* Adds all samples in a document, at any depth, except those without a bandwidth. */
void samples_read(struct samples *all, const struct out *node);
void samples_free(struct samples *all);

#endif
