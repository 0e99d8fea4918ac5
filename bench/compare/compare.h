/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares two systems by the predictions for equal workloads (Chen and Patterson 1993, section 9
 * and figure 15). */
#ifndef IOSPAN_COMPARE_H
#define IOSPAN_COMPARE_H

#include "bench/model/predict.h"
#include "user/result/view.h"

struct versus {
	const char *name; /* NULL: drawn at random */
	struct prediction a, b;
};

struct comparison {
	const struct model *a, *b;
	struct versus *list; /* named workloads first */
	unsigned n, named;
	struct range ranges[PARAMETERS]; /* ranges of random workloads: measured on both systems */
	uint64_t seed;
};

/* Adds a workload; parameters that are not given are at the focal point of A. */
void comparison_add(struct comparison *c, const char *name, const struct workload *w);
/* Adds @n random workloads within the ranges that both systems measured. Returns 0 or -errno if
 * there are none; prints the error. */
int comparison_draw(struct comparison *c, unsigned n, uint64_t seed);

/* Returns the result document, and the views of it. */
struct out *comparison_document(const struct comparison *c);
const struct view *comparison_views(const struct comparison *c);

/* ---- one workload ---- */

/* Returns the value of A / the value of B, with the limits that the bands of both allow. */
struct estimate versus_ratio(const struct versus *v, enum quantity q);

/* The system with the higher bandwidth. */
enum winner { WINNER_NONE, WINNER_A, WINNER_B };
enum winner versus_winner(const struct versus *v);
/* Do the bands not overlap? */
bool versus_is_real(const struct versus *v);
bool versus_has_band(const struct versus *v);

#endif
