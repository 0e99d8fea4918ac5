/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predicts the I/O time from the I/O of all cgroups (ridge regression): the fraction of variation
 * between jobs that they explain, together and without one. Cgroups may explain the same, so
 * fractions do not add up. */
#ifndef IOSPAN_JOINT_H
#define IOSPAN_JOINT_H

#include <stddef.h>
#include "bpf/types.h"

struct correlation_study;
struct out;

/* Has the columns "PATH bytes" and "PATH ops". */
struct joint_group {
	/* name of its first column; the first @length bytes are the cgroup's path */
	const char *name;
	int length;
	double without; /* fraction of the variation that the model explains without this cgroup */
};

#define JOINT_ROWS 1000 /* maximum number of jobs in the model; of more jobs, every n-th is used */
/* with more cgroups than this, the fractions without single cgroups are not computed */
#define JOINT_GROUPS 40

struct joint {
	size_t n;
	/* fraction that all cgroups explain, see ridge_explains(); NaN: not defined */
	double explained;
	double p; /* p-value of this fraction by a permutation test; NaN: not requested */
	struct joint_group *groups; /* the cgroup without which least is explained comes first */
	u32 groups_n;
};

/* For c->form and the jobs in c->curves; columns from @first on are of cgroups. @j refers to @c. */
void joint_compute(struct joint *j, const struct correlation_study *c, u32 first);
void joint_release(struct joint *j);

struct out *joint_json(const struct joint *j, const struct correlation_study *c);

#endif
