/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regression of one quantity on another by a random forest. Its result is the mean of regression
 * trees, each of which is grown from rows drawn with replacement (Breiman 2001, Machine Learning
 * 45, 5-32, section 11).
 *
 * With one variable a tree is a step function. Each split is halfway between two neighbouring
 * values of x and minimises the sum of squared residuals (Breiman, Friedman, Olshen and Stone 1984,
 * Classification and Regression Trees, section 8.4). */
#ifndef IOSPAN_FOREST_H
#define IOSPAN_FOREST_H

#include <stddef.h>
#include <stdint.h>

/* Conditions under which a set of rows is not split further. A row that was drawn twice counts as
 * two rows. */
struct tree_rule {
	unsigned least_split; /* the set has fewer rows than this */
	unsigned least_leaf;  /* one half would have fewer rows than this */
	/* the set is the result of this number of successive splits; 0: no limit */
	unsigned depth;
};
#define FOREST_RULE ((struct tree_rule){ .least_split = 6, .least_leaf = 1 })

struct tree {
	size_t n;	       /* number of steps; 0: the tree was grown from no rows */
	double *until, *value; /* right end and value of each step; the last end is infinite */
};

/* Grows a tree from @n rows with ascending @x. Row i counts as @weights[i] rows; if @weights is
 * NULL, as one row. */
void tree_grow(struct tree *t, size_t n, const double *x, const double *y, const uint32_t *weights,
	       const struct tree_rule *rule);
double tree_at(const struct tree *t, double x);
void tree_release(struct tree *t);

/* Grows @trees trees from @n rows in any order. Sets @values[i] to the mean of the trees at x =
 * @at[i], for @m values. If there are no rows, sets NaN. Equal rows and @seed give equal
 * results. */
void forest_curve(size_t n, const double *x, const double *y, unsigned trees, uint64_t seed,
		  const struct tree_rule *rule, size_t m, const double *at, double *values);

#endif
