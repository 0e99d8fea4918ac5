/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predicts the I/O time of jobs from the I/O of all cgroups together, by ridge regression. The
 * fraction that the model explains is the part of the variation of the I/O times that it predicts.
 * Computes this fraction with all cgroups, and without each single cgroup. Two cgroups may explain
 * the same variation, so the fractions of single cgroups do not add up. */
#ifndef IOSPAN_JOINT_H
#define IOSPAN_JOINT_H

#include <stddef.h>
#include "bpf/types.h"

struct correlation_study;
struct out;

struct joint_group {
	const char *name; /* the first .length bytes are the path of the cgroup */
	int length;
	/* fraction of the variation that the model explains if it lacks this cgroup */
	double without;
};

/* maximum number of jobs in the model; if there are more, every n-th job is used */
#define JOINT_ROWS 1000

struct joint {
	size_t n;
	/* fraction of the variation that the model with all cgroups explains; NaN: not defined */
	double explained;
	/* p-value of .explained by a permutation test; NaN: no permutations were requested */
	double p;
	/* cgroups of the model, sorted by .without: the most important cgroup is first */
	struct joint_group *groups;
	u32 groups_n;
};

/* Computes the model for the I/O time c->form. c->curves has the I/O time of each job, and the I/O
 * of the system during the job. The columns of cgroups start at @first: two for each cgroup, "PATH
 * bytes" and "PATH ops" (group_columns_fill()). @j has pointers to @c, so @c must stay valid. */
void joint_compute(struct joint *j, const struct correlation_study *c, u32 first);
void joint_release(struct joint *j);

struct out *joint_json(const struct joint *j, const struct correlation_study *c);

#endif
