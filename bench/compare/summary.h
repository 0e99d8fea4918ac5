/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What many workloads together say of two systems. */
#ifndef IOSPAN_COMPARE_SUMMARY_H
#define IOSPAN_COMPARE_SUMMARY_H

#include "bench/compare/compare.h"

#define QUARTILES 5

struct summary {
	unsigned n;		     /* workloads with a ratio */
	unsigned faster[3], real[3]; /* of enum winner */
	unsigned without_band;
	double ratio[QUARTILES]; /* A/B of bandwidth: least, quartiles, most; NaN of none */
};

/* Of the workloads drawn at random whose value of @p lies between @from and @to on its axis. */
struct summary summarize(const struct comparison *c, enum parameter p, struct range r);
/* Of all of them. */
struct summary summarize_all(const struct comparison *c);

/* The range of @p in three equal parts: number @i of them. */
struct range third(const struct comparison *c, enum parameter p, int i);

#endif
