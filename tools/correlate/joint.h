/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predicts the I/O time of jobs from all cgroups together (ridge regression), also without one of
 * them. Fractions of single cgroups do not add up, because two may explain the same variation. */
#ifndef IOSPAN_JOINT_H
#define IOSPAN_JOINT_H

#include <stddef.h>
#include "bpf/types.h"

struct correlation_study;
struct out;

/* The columns "PATH bytes" and "PATH ops" have the I/O of a cgroup. */
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

/* Predicts the I/O time c->form of the jobs in c->curves. Columns of cgroups start at @first. @j
 * refers to @c. */
void joint_compute(struct joint *j, const struct correlation_study *c, u32 first);
void joint_release(struct joint *j);

struct out *joint_json(const struct joint *j, const struct correlation_study *c);

#endif
