/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures of association between two quantities, as in Madireddy and others 2017 (see
 * correlate.h), section V.A. Pearson's correlation detects lines, Spearman's detects monotonic
 * curves, and the other two detect any dependence. user/stats names the sources of the formulas. */
#ifndef IOSPAN_ASSOCIATE_H
#define IOSPAN_ASSOCIATE_H

#include <stddef.h>
#include <stdint.h>

enum association { ASSOC_PEARSON, ASSOC_SPEARMAN, ASSOC_DISTANCE, ASSOC_INFORMATION, ASSOCIATIONS };
/* names in JSON, such as "distance_correlation" */
extern const char *const association_names[ASSOCIATIONS];
extern const char *const association_titles[ASSOCIATIONS]; /* titles in text, such as "distance" */

struct associate_options {
	unsigned permutations; /* number of permutations for p; 0: p is not computed */
	/* number of bins for mutual information; 0: estimate it by nearest neighbours */
	unsigned bins;
	uint64_t seed;
	size_t sample; /* maximum number of pairs for p; they are drawn at random */
};

struct associated {
	size_t n;		    /* number of pairs */
	double value[ASSOCIATIONS]; /* NaN if the measure is not defined */
	/* p of a permutation test; NaN if not requested or not defined */
	double p[ASSOCIATIONS];
	double by_chance[ASSOCIATIONS]; /* mean of the measure over the permutations */
};

/* Computes all measures of @n pairs of finite numbers. */
void associate(struct associated *a, size_t n, const double *x, const double *y,
	       const struct associate_options *o);

/* Draws up to @most of @n pairs at random, without replacement, into @to_x and @to_y. Returns
 * the number of pairs drawn. */
size_t associate_sample(size_t n, const double *x, const double *y, size_t most, uint64_t seed,
			double *to_x, double *to_y);

#endif
