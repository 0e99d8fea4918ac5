/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A model that predicts the I/O time of jobs from the I/O of all cgroups together. It shows
 * which fraction of the variation between jobs all cgroups explain, and which fraction they
 * explain without one of them. The fractions of single cgroups do not add up, because two
 * cgroups may explain the same variation. */
#ifndef IOSPAN_JOINT_H
#define IOSPAN_JOINT_H

#include <stddef.h>
#include "bpf/types.h"

struct correlation_study;
struct out;

/* A cgroup, which has the columns "PATH bytes" and "PATH ops". */
struct joint_group {
	const char *name; /* name of its first column; PATH is its first @length bytes */
	int length;
	double without; /* fraction of the variation that all other cgroups explain */
};

#define JOINT_ROWS 1000 /* maximum number of jobs in the model */
#define JOINT_GROUPS 40 /* with more cgroups, joint_group.without is not computed */

struct joint {
	size_t n;		    /* number of jobs */
	double explained;	    /* fraction explained, see ridge_explains(); NaN: not defined */
	double p;		    /* p of a permutation test; NaN if not requested */
	struct joint_group *groups; /* sorted by ascending @without */
	u32 groups_n;
};

/* Computes the model that predicts the I/O time c->form from the columns from @first on. It uses
 * the samples of c->curves. @c must exist as long as @j. */
void joint_compute(struct joint *j, const struct correlation_study *c, u32 first);
void joint_release(struct joint *j);

struct out *joint_json(const struct joint *j, const struct correlation_study *c);

#endif
