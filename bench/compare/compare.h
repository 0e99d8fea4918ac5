/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two systems with the same workloads, by what is predicted of each (Chen and Patterson 1993,
 * figure 15). */
#ifndef IOSPAN_COMPARE_H
#define IOSPAN_COMPARE_H

#include "bench/model/predict.h"

struct versus {
	const char *name; /* NULL: drawn at random */
	struct prediction a, b;
};

struct comparison {
	const struct model *a, *b;
	struct versus *list; /* those with a name first */
	unsigned n, named;
	struct range ranges[PARAMETERS]; /* that both have measured; of the random ones */
	uint64_t seed;
};

/* Adds a workload. */
void comparison_add(struct comparison *c, const char *name, const struct workload *w);
/* Adds @n at random from what both have measured. -errno, printed: there is nothing such. */
int comparison_draw(struct comparison *c, unsigned n, uint64_t seed);

void comparison_text(FILE *f, const struct comparison *c);
struct out *comparison_json(const struct comparison *c);

/* ---- of one workload ---- */

/* A's value by B's, at least and at most: what the bands of both allow. */
struct estimate versus_ratio(const struct versus *v, enum quantity q);

/* Whose bandwidth is higher? It is real if the bands do not overlap. */
enum winner { WINNER_NONE, WINNER_A, WINNER_B };
enum winner versus_winner(const struct versus *v);
bool versus_is_real(const struct versus *v);
bool versus_has_band(const struct versus *v);

#endif
