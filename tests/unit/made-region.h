/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes measured points of a simulated storage device. A curve has points that differ only in one
 * parameter of the workload. The bandwidths come from a formula. They are exact, or have random
 * errors within their confidence intervals. */
#ifndef IOSPAN_TESTS_MADE_REGION_H
#define IOSPAN_TESTS_MADE_REGION_H

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include "bench/model/traits.h"
#include "tests/lib/harness.h"

#define MB 1048576.0
#define US 1e3
#define MS 1e6
#define MOST_POINTS 8

/* Times of a request. The device has a bus, which serves one request after the other. In addition,
 * each request takes .latency, during which other requests make progress. */
struct device {
	/* All in ns. On the bus, a request takes .request, plus .byte for each of its bytes. A
	 * random request also takes .seek, and a write takes .write. */
	double request, seek, byte, write, latency;
	/* how many requests the device serves at the same time; 0: no limit */
	double at_once;
	/* reads are served from a cache, without the disk */
	bool cached;
	/* each change between processes costs a seek, even for sequential requests */
	bool turns;
};

static const struct device head = { .request = 100 * US, .seek = 8 * MS, .byte = 10 },
			   single = { .request = 500 * US, .at_once = 1 },
			   flash = { .latency = 80 * US,
				     .request = 2 * US,
				     .byte = 1 / 3.0,
				     .write = 15 * US };

static inline double iops(const struct device *d, const double v[PARAMETERS])
{
	double seq = d->turns && v[PARAM_PROCS] > 1 ? 0 : v[PARAM_SEQ];
	double bus = d->request + (1 - seq) * d->seek + v[PARAM_SIZE] * d->byte +
		(1 - v[PARAM_READ]) * d->write;
	double n = v[PARAM_PROCS] * v[PARAM_DEPTH];

	if (d->at_once && n > d->at_once)
		n = d->at_once;
	return 1e9 * fmin(n / (bus + d->latency), 1 / bus);
}

struct made {
	struct region region;
	struct point points[PARAMETERS][MOST_POINTS];
};

static const struct range axes[PARAMETERS] = {
	{ MB, 16 * MB }, { 4096, MB }, { 0, 1 }, { 0, 1 }, { 1, 16 }, { 1, 64 },
};

static inline struct point point_of(const struct device *d, const struct workload *w, double half,
				    gsl_rng *rng)
{
	double rate = iops(d, w->v);
	struct point p = { .at = *w, .half_width = half, .steady = true };

	if (rng)
		rate *= 1 + gsl_ran_gaussian(rng, half / 1.96);
	p.value[QUANTITY_IOPS] = rate;
	p.value[QUANTITY_BANDWIDTH] = rate * w->v[PARAM_SIZE];
	p.value[QUANTITY_ARPT] = 1e9 * w->v[PARAM_PROCS] * w->v[PARAM_DEPTH] / rate;
	p.value[QUANTITY_BPS_APP] = p.value[QUANTITY_BPS_VFS] = rate;
	p.value[QUANTITY_BPS_DEVICE] = d->cached && w->v[PARAM_READ] == 1 ? NAN : rate;
	return p;
}

/* Makes curves of the device @d around @focal. The confidence interval of each value reaches from 1
 * - @half to 1 + @half times the value. If @rng is not NULL, the values have random errors that fit
 * this interval. */
static inline void make(struct made *m, const struct device *d, const struct workload *focal,
			double half, gsl_rng *rng)
{
	static const unsigned n[PARAMETERS] = { 3, 8, 5, 5, 5, 7 };

	*m = (struct made){ .region = { .bytes = axes[0], .focal = *focal } };
	for (enum parameter p = 0; p < PARAMETERS; p++) {
		m->region.series[p] = (struct series){ .n = n[p], .points = m->points[p] };
		for (unsigned i = 0; i < n[p]; i++) {
			double part = i / (n[p] - 1.0);
			struct workload w = *focal;

			w.v[p] = parameters[p].kind == PARAM_FRACTION ?
				part :
				round(axes[p].min * pow(axes[p].max / axes[p].min, part));
			m->points[p][i] = point_of(d, &w, half, rng);
		}
	}
}

static const struct workload middle = { { 8 * MB, 32768, 0.5, 0.5, 1, 1 } };

static inline struct traits traits_for(struct made *m, const struct device *d, double half,
				       gsl_rng *rng)
{
	make(m, d, &middle, half, rng);
	return traits_of(&m->region);
}

#endif
