/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How one quantity goes with another, as a curve of steps: the mean of regression trees, each
 * grown from rows that are drawn at random with replacement (random forest, Breiman 2001).
 *
 * A tree of one variable is a function of steps: where it splits, halfway between two
 * neighbours, one step ends and the next begins. A split is where the squares of what is left
 * are least. */
#ifndef IOSPAN_FOREST_H
#define IOSPAN_FOREST_H

#include <stddef.h>
#include <stdint.h>

/* When a part of the rows is not split any more. A row that was drawn twice counts twice. */
struct tree_rule {
	unsigned least_split; /* it has less */
	unsigned least_leaf;  /* a half would have less */
	unsigned depth;	      /* it is so deep; 0: as deep as it gets */
};
#define FOREST_RULE ((struct tree_rule){ .least_split = 6, .least_leaf = 1 })

struct tree {
	size_t n;	       /* steps; 0: there was no row */
	double *until, *value; /* the last goes on for ever */
};

/* Of @n rows with ascending @x, of which row i counts @weights[i] times; NULL: once. */
void tree_grow(struct tree *t, size_t n, const double *x, const double *y, const uint32_t *weights,
	       const struct tree_rule *rule);
double tree_at(const struct tree *t, double x);
void tree_release(struct tree *t);

/* The mean of @trees trees of @n rows in any order, at the @m places @at; the same for the same
 * @seed. NaN if there is no row. */
void forest_curve(size_t n, const double *x, const double *y, unsigned trees, uint64_t seed,
		  const struct tree_rule *rule, size_t m, const double *at, double *values);

#endif
