/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes how strongly two quantities depend on each other, by four measures (Madireddy and
 * others, IEEE NAS 2017, section V.A). Pearson's correlation finds linear dependence, and
 * Spearman's correlation finds monotonic dependence. Distance correlation and mutual information
 * find any dependence. */
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
	uint64_t permutations; /* number of permutations for the p-values; 0: no p-values */
	/* number of bins for the mutual information; 0: estimate it from nearest neighbours,
	 * without bins */
	uint64_t bins;
	uint64_t seed;
	/* The p-values are computed from at most this number of pairs, drawn at random. */
	uint64_t sample;
};

struct associated {
	size_t n;
	/* values of the four measures; NaN: the measure is not defined */
	double value[ASSOCIATIONS];
	/* p-values of the measures, by a permutation test; NaN: no permutations were requested, or
	 * the measure is not defined */
	double p[ASSOCIATIONS];
	/* mean of each measure over random permutations of the y values: the value to expect if y
	 * does not depend on x */
	double by_chance[ASSOCIATIONS];
};

/* Computes all measures for @n pairs (@x[i], @y[i]) of finite numbers. */
void associate(struct associated *a, size_t n, const double *x, const double *y,
	       const struct associate_options *o);

/* Draws at most @most of the @n pairs at random, each at most once. Stores them in @to_x and @to_y,
 * and returns their number. */
size_t associate_sample(size_t n, const double *x, const double *y, size_t most, uint64_t seed,
			double *to_x, double *to_y);

#endif
