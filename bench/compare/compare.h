/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares predictions for two systems, A and B (Chen and Patterson 1993, section 9, figure 15). */
#ifndef IOSPAN_COMPARE_H
#define IOSPAN_COMPARE_H

#include "bench/model/predict.h"
#include "user/result/view.h"

struct versus {
	const char *name; /* name of the workload, given by the user; NULL: a random workload */
	struct prediction a, b;
};

struct comparison {
	const struct model *a, *b;
	/* .n workloads: the first .named workloads have a name, the others are random */
	struct versus *list;
	unsigned n, named;
	/* random workloads come from these ranges, which were measured on both systems */
	struct range ranges[PARAMETERS];
	uint64_t seed;
};

/* Adds a workload to compare. If a parameter is NaN, it gets the value that it has at the focal
 * point of A. The focal point is the reference workload of a result. */
void comparison_add(struct comparison *c, const char *name, const struct workload *w);
/* Adds @n random workloads, from the ranges of parameters that were measured on both systems.
 * Returns -errno if the two ranges of a parameter do not overlap; prints the error. */
int comparison_draw(struct comparison *c, unsigned n, uint64_t seed);

struct out *comparison_document(const struct comparison *c);
const struct view *comparison_views(const struct comparison *c);

#endif
