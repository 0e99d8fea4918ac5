/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of what differs between jobs all cgroups explain together, and what is left of that
 * without one of them. Two who each explain half may explain all, or the same half. */
#ifndef IOSPAN_JOINT_H
#define IOSPAN_JOINT_H

#include <stdio.h>
#include "bpf/types.h"

struct correlation_study;
struct out;

/* A cgroup, with the columns "PATH bytes" and "PATH ops". */
struct joint_part {
	const char *name; /* of the first, up to @length: "PATH" */
	int length;
	double without; /* what the others explain together */
};

#define JOINT_ROWS 1000 /* jobs, of as many at most, */
#define JOINT_PARTS 40	/* and, if there are no more, it without each */

struct joint {
	size_t n;		  /* jobs */
	double explained;	  /* ridge_explains(); NaN: not known */
	double p;		  /* likewise by chance; NaN: not looked for */
	struct joint_part *parts; /* without whom least is left come first */
	u32 parts_n;
};

/* Of the form that is looked at closely, and columns from @first on; the curves are there. The
 * study outlives it. */
void joint_look(struct joint *j, const struct correlation_study *c, u32 first);
void joint_release(struct joint *j);

/* Nothing, if nothing is known. */
void joint_text(FILE *f, const struct joint *j, const struct correlation_study *c);
struct out *joint_json(const struct joint *j, const struct correlation_study *c);

#endif
