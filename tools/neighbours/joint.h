/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predicts the I/O time of jobs from the I/O of all cgroups together, by ridge regression. Computes
 * which fraction of the variation of the I/O times the model explains with all cgroups, and which
 * fraction it explains if one cgroup is left out. Two cgroups may explain the same variation, so
 * the fractions of single cgroups do not add up. */
#ifndef IOSPAN_JOINT_H
#define IOSPAN_JOINT_H

#include <stddef.h>
#include "bpf/types.h"

struct correlation_study;
struct out;

struct joint_group {
	const char *name; /* the first @length bytes are the path of the cgroup */
	int length;
	double without; /* fraction of the variation that the model explains without this cgroup */
};

#define JOINT_ROWS 1000 /* maximum number of jobs in the model; of more jobs, every n-th is used */

struct joint {
	size_t n;
	/* fraction of the variation of the I/O times that all cgroups together explain; NaN: not
	 * defined */
	double explained;
	/* p-value of .explained by a permutation test; NaN: the user did not request it */
	double p;
	/* cgroups of the model, in ascending order of .without: the most important cgroup comes
	 * first */
	struct joint_group *groups;
	u32 groups_n;
};

/* Computes the model for the I/O time c->form. c->curves has the I/O time of each job, and the I/O
 * of the system during the job. From column @first on, each cgroup has two columns, "PATH bytes"
 * and "PATH ops" (group_columns_fill()). @j refers to @c, so @c must stay valid. */
void joint_compute(struct joint *j, const struct correlation_study *c, u32 first);
void joint_release(struct joint *j);

struct out *joint_json(const struct joint *j, const struct correlation_study *c);

#endif
