/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of the variation between jobs all cgroups explain together, and how much without one of
 * them. The fractions of single cgroups do not add up, because two may explain the same part. */
#ifndef IOSPAN_JOINT_H
#define IOSPAN_JOINT_H

#include <stddef.h>
#include "bpf/types.h"

struct correlation_study;
struct out;

/* A cgroup, with the columns "PATH bytes" and "PATH ops". */
struct joint_group {
	const char *name; /* name of its first column; the path is its first @length bytes */
	int length;
	double without; /* fraction that all other cgroups explain */
};

#define JOINT_ROWS 1000 /* most jobs */
#define JOINT_GROUPS 40 /* with more groups, ->without is not computed */

struct joint {
	size_t n;		    /* jobs */
	double explained;	    /* fraction, see ridge_explains(); NaN: not defined */
	double p;		    /* permutation test; NaN: not requested */
	struct joint_group *groups; /* by ascending @without */
	u32 groups_n;
};

/* Uses the detailed form of @c, its curves, and the columns from @first on. @c must outlive @j. */
void joint_compute(struct joint *j, const struct correlation_study *c, u32 first);
void joint_release(struct joint *j);

struct out *joint_json(const struct joint *j, const struct correlation_study *c);

#endif
