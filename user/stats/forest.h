/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Estimates y as a function of x by a random forest (Breiman 2001, Machine Learning 45, 5-32,
 * section 11). A row is a pair (x, y). Each regression tree is grown from rows that are drawn at
 * random with replacement. The estimate is the mean of all trees.
 *
 * A tree is a step function. A split is halfway between two values of x and minimises the squared
 * residuals (Breiman, Friedman, Olshen and Stone 1984, Classification and Regression Trees, section
 * 8.4). */
#ifndef IOSPAN_FOREST_H
#define IOSPAN_FOREST_H

#include <stddef.h>
#include <stdint.h>

/* Limits of the growth of a tree. A set of rows is split only if the split obeys all limits. A row
 * that was drawn twice counts as two rows. */
struct tree_rule {
	unsigned least_split; /* A set with fewer rows is not split. */
	unsigned least_leaf;  /* Each side of a split has at least this number of rows. */
	/* maximum number of successive splits from the root to a leaf; 0: no limit */
	unsigned depth;
};
#define FOREST_RULE ((struct tree_rule){ .least_split = 6, .least_leaf = 1 })

struct tree {
	size_t n; /* number of steps of the function y(x); 0: the tree was made from no rows */
	/* Step i ends at x = until[i]. Its value y is value[i]. The last step ends at infinity. */
	double *until, *value;
};

/* Grows a tree from @n rows (@x[i], @y[i]) with ascending x. Uses row i @weights[i] times, or once
 * if @weights is NULL. */
void tree_grow(struct tree *t, size_t n, const double *x, const double *y, const uint32_t *weights,
	       const struct tree_rule *rule);
double tree_at(const struct tree *t, double x);
void tree_release(struct tree *t);

/* Grows @trees trees from @n rows in any order. Sets @values[j] to the estimate at x = @at[j], for
 * each of the @m positions in @at. The estimate is NaN if there are no rows. The same rows and
 * @seed give the same values. */
void forest_curve(size_t n, const double *x, const double *y, unsigned trees, uint64_t seed,
		  const struct tree_rule *rule, size_t m, const double *at, double *values);

#endif
