/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures how strongly two quantities depend on each other, as in Madireddy and others 2017 (see
 * correlate.h), section V.A. Distance correlation and mutual information detect any dependence. */
#ifndef IOSPAN_ASSOCIATE_H
#define IOSPAN_ASSOCIATE_H

#include <stddef.h>
#include <stdint.h>

enum association { ASSOC_PEARSON, ASSOC_SPEARMAN, ASSOC_DISTANCE, ASSOC_INFORMATION, ASSOCIATIONS };
/* keys of the measures in JSON, such as "distance_correlation" */
extern const char *const association_names[ASSOCIATIONS];
/* titles of the measures in tables, such as "distance" */
extern const char *const association_titles[ASSOCIATIONS];

struct associate_options {
	unsigned permutations; /* number of permutations for the p-values; 0: no p-values */
	/* for mutual information; 0: from nearest neighbours instead */
	unsigned bins;
	uint64_t seed;
	/* of more pairs, this number is drawn at random for the p-values */
	size_t sample;
};

struct associated {
	size_t n;
	double value[ASSOCIATIONS]; /* the four measures; NaN if one is not defined */
	/* p-value of each measure, by a permutation test; NaN if not requested or not defined */
	double p[ASSOCIATIONS];
	/* mean that random pairs give: the value to expect without dependence */
	double by_chance[ASSOCIATIONS];
};

/* Computes all measures for @n pairs (@x[i], @y[i]) of finite numbers. */
void associate(struct associated *a, size_t n, const double *x, const double *y,
	       const struct associate_options *o);

/* Draws at most @most pairs, each at most once. Returns their number. */
size_t associate_sample(size_t n, const double *x, const double *y, size_t most, uint64_t seed,
			double *to_x, double *to_y);

#endif
