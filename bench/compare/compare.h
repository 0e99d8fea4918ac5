/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares two storage systems, A and B: predicts the same workloads for both (Chen and Patterson
 * 1993, section 9 and figure 15). */
#ifndef IOSPAN_COMPARE_H
#define IOSPAN_COMPARE_H

#include "bench/model/predict.h"
#include "user/result/view.h"

struct versus {
	const char *name; /* name that the user gave; NULL: a random workload */
	struct prediction a, b;
};

struct comparison {
	const struct model *a, *b;
	struct versus *list; /* all workloads; the first .named of them have names */
	unsigned n, named;
	/* random workloads come from these ranges, which were measured on both systems */
	struct range ranges[PARAMETERS];
	uint64_t seed;
};

/* Adds a workload to compare. Parameters that are missing in @w (NaN) get their value at the focal
 * point of A. */
void comparison_add(struct comparison *c, const char *name, const struct workload *w);
/* Adds @n random workloads from the ranges that were measured on both systems. Returns -errno if
 * there are no such ranges; prints the error. Otherwise returns 0. */
int comparison_draw(struct comparison *c, unsigned n, uint64_t seed);

struct out *comparison_document(const struct comparison *c);
const struct view *comparison_views(const struct comparison *c);

/* ---- functions for one workload ---- */

/* Returns A's predicted value divided by B's. .low and .high follow from the uncertainties of both
 * predictions. */
struct estimate versus_ratio(const struct versus *v, enum quantity q);

/* The system for which a higher bandwidth is predicted. */
enum winner { WINNER_NONE, WINNER_A, WINNER_B };
enum winner versus_winner(const struct versus *v);
/* Returns true if the ranges in which the two bandwidths are expected do not overlap. Otherwise the
 * difference may be an error of the predictions. */
bool versus_is_real(const struct versus *v);
bool versus_has_band(const struct versus *v);

#endif
