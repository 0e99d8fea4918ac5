/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How closely two quantities go together, by several measures: what one of them does not see,
 * another does. */
#ifndef IOSPAN_ASSOCIATE_H
#define IOSPAN_ASSOCIATE_H

#include <stddef.h>
#include <stdint.h>

enum association { ASSOC_PEARSON, ASSOC_SPEARMAN, ASSOC_DISTANCE, ASSOC_INFORMATION, ASSOCIATIONS };
extern const char *const association_names[ASSOCIATIONS];  /* "distance_correlation" */
extern const char *const association_titles[ASSOCIATIONS]; /* "distance" */

struct associate_options {
	unsigned permutations; /* 0: no p */
	unsigned bins;	       /* of which mutual information is; 0: by neighbours */
	uint64_t seed;
	size_t sample; /* of as many pairs p is, drawn at random, if there are more */
};

struct associated {
	size_t n;			/* pairs */
	double value[ASSOCIATIONS];	/* NaN: there is none */
	double p[ASSOCIATIONS];		/* NaN: not looked for, or there is none */
	double by_chance[ASSOCIATIONS]; /* mean strength when nothing goes together */
};

/* Of @n pairs of finite numbers. */
void associate(struct associated *a, size_t n, const double *x, const double *y,
	       const struct associate_options *o);

/* @to becomes @most of the @n pairs at random, or all if there are no more; how many. */
size_t associate_sample(size_t n, const double *x, const double *y, size_t most, uint64_t seed,
			double *to_x, double *to_y);

#endif
