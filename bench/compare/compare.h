/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares two systems, A and B, by the predictions for equal workloads (Chen and Patterson 1993,
 * section 9 and figure 15). */
#ifndef IOSPAN_COMPARE_H
#define IOSPAN_COMPARE_H

#include "bench/model/predict.h"
#include "user/result/view.h"

struct versus {
	const char *name; /* name of the workload; NULL: drawn at random */
	struct prediction a, b;
};

struct comparison {
	const struct model *a, *b;
	struct versus *list; /* all workloads; the first .named ones have names */
	unsigned n, named;
	/* ranges of random workloads, which both systems measured */
	struct range ranges[PARAMETERS];
	uint64_t seed;
};

/* Adds a workload. Parameters that @w does not give (NaN) are taken from the focal point of A. */
void comparison_add(struct comparison *c, const char *name, const struct workload *w);
/* Adds @n random workloads from the ranges that both systems measured. Returns 0, or -errno if
 * there are no such ranges; prints the error. */
int comparison_draw(struct comparison *c, unsigned n, uint64_t seed);

/* Returns the result document, and the views of it. */
struct out *comparison_document(const struct comparison *c);
const struct view *comparison_views(const struct comparison *c);

/* ---- functions for one workload ---- */

/* Returns the value of A divided by the value of B. .low and .high are the limits that follow from
 * the bands of both predictions. */
struct estimate versus_ratio(const struct versus *v, enum quantity q);

/* The system with the higher predicted bandwidth. */
enum winner { WINNER_NONE, WINNER_A, WINNER_B };
enum winner versus_winner(const struct versus *v);
/* Returns true if the bands of the two bandwidths do not overlap. */
bool versus_is_real(const struct versus *v);
bool versus_has_band(const struct versus *v);

#endif
