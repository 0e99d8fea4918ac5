/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares predictions of the same workloads for systems A and B (Chen and Patterson 1993, section
 * 9, figure 15). */
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

/* NaN in @w: the value at the focal point of A. */
void comparison_add(struct comparison *c, const char *name, const struct workload *w);
/* Adds @n random workloads. Returns 0, or -errno if no ranges were measured on both systems; prints
 * the error. */
int comparison_draw(struct comparison *c, unsigned n, uint64_t seed);

struct out *comparison_document(const struct comparison *c);
const struct view *comparison_views(const struct comparison *c);

/* A / B; .low and .high follow from the uncertainties of both. */
struct estimate versus_ratio(const struct versus *v, enum quantity q);

/* The system for which a higher bandwidth is predicted. */
enum winner { WINNER_NONE, WINNER_A, WINNER_B };
enum winner versus_winner(const struct versus *v);
/* False if the bandwidths' bands overlap: the difference may be an error of the predictions. */
bool versus_is_real(const struct versus *v);
bool versus_has_band(const struct versus *v);

#endif
