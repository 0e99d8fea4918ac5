/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures of association between two quantities, as in Madireddy and others 2017, section V.A.
 * Pearson sees lines, Spearman monotonic curves, the others any dependence. The sources of the
 * formulas are in user/stats. */
#ifndef IOSPAN_ASSOCIATE_H
#define IOSPAN_ASSOCIATE_H

#include <stddef.h>
#include <stdint.h>

enum association { ASSOC_PEARSON, ASSOC_SPEARMAN, ASSOC_DISTANCE, ASSOC_INFORMATION, ASSOCIATIONS };
extern const char *const association_names[ASSOCIATIONS];  /* "distance_correlation" */
extern const char *const association_titles[ASSOCIATIONS]; /* "distance" */

struct associate_options {
	unsigned permutations; /* 0: no p */
	unsigned bins;	       /* for mutual information; 0: nearest neighbours */
	uint64_t seed;
	size_t sample; /* p uses at most this number of pairs, drawn at random */
};

struct associated {
	size_t n;			/* pairs */
	double value[ASSOCIATIONS];	/* NaN: not defined */
	double p[ASSOCIATIONS];		/* permutation test; NaN: not requested or not defined */
	double by_chance[ASSOCIATIONS]; /* mean over the permutations */
};

/* Computes all measures of @n pairs of finite numbers. */
void associate(struct associated *a, size_t n, const double *x, const double *y,
	       const struct associate_options *o);

/* Draws up to @most of @n pairs without replacement into @to_x and @to_y. Returns their number. */
size_t associate_sample(size_t n, const double *x, const double *y, size_t most, uint64_t seed,
			double *to_x, double *to_y);

#endif
