/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics of a comparison over the random workloads. */
#ifndef IOSPAN_COMPARE_SUMMARY_H
#define IOSPAN_COMPARE_SUMMARY_H

#include "bench/compare/compare.h"

#define QUARTILES 5

struct summary {
	unsigned n;		     /* workloads with a ratio */
	unsigned faster[3], real[3]; /* [enum winner]: all workloads; those with separate bands */
	unsigned without_band;
	double ratio[QUARTILES]; /* A/B of bandwidth: minimum, quartiles, maximum; or NaN */
};

/* Summarizes the random workloads with @p within @r, in positions on its axis. */
struct summary summarize(const struct comparison *c, enum parameter p, struct range r);
struct summary summarize_all(const struct comparison *c);

/* Returns third @i (0..2) of the range of @p, in positions on its axis. */
struct range third(const struct comparison *c, enum parameter p, int i);

#endif
