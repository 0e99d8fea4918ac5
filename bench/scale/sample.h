/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A workload that was measured, and what came of it. */
#ifndef IOSPAN_BENCH_SAMPLE_H
#define IOSPAN_BENCH_SAMPLE_H

#include <stdbool.h>
#include "bpf/types.h"
#include "bench/model/workload.h"

struct sample {
	struct workload at;
	bool ring;	   /* by io_uring, which depths need; else by pread(), pwrite() */
	double bandwidth;  /* bytes per second */
	double half_width; /* of its 95 % interval, as a share; NaN: not known */
	double iops, arpt_ns;
	bool steady;
	enum probe probe;
	bool again; /* the better of two measurements */
	u64 measured_ns;
	double others;	    /* share of the processors that other programs had */
	struct out *layers; /* "app", "vfs", "device": all metrics, or null */
};

struct out *sample_json(const struct sample *p);

/* Its half-width, or SAMPLE_UNKNOWN; at least HALF_NOT_STEADY of a sample that was not steady. Half
 * of a 95 % interval is Z95 standard deviations. */
#define Z95 1.96
#define SAMPLE_UNKNOWN 0.2
double sample_half(const struct sample *p);

/* A number of them, each on its own: they stay where they are. */
struct samples {
	struct sample **list;
	unsigned n;
};

/* Takes what @p has. */
const struct sample *samples_add(struct samples *all, const struct sample *p);
/* The one of the same workload becomes @p, whose parts it takes. */
void samples_replace(struct samples *all, const struct sample *p);
/* NULL: there is none. */
const struct sample *samples_find(const struct samples *all, const struct workload *w, bool ring);
/* Adds all that are in a document, wherever in it they are, except those without bandwidth. */
void samples_read(struct samples *all, const struct out *node);
void samples_free(struct samples *all);

#endif
