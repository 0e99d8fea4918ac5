/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_HOST_CGROUP_TREE_H
#define IOSPAN_HOST_CGROUP_TREE_H

#include "user/host/cgroup.h"

/* Removes the group and all below it; processes still in it go to the group above. Returns how many
 * those were, or -errno; -EBUSY: some groups are still in use at @until_ns (now_ns()). A group that
 * does not exist is no error. */
int cgroup_remove(const struct cgroup *cg, u64 until_ns);

/* Controller @name, such as "io", works in @cg of version 2: what it counts is charged to it
 * alone. */
bool cgroup_has(const struct cgroup *cg, const char *name);

/* How many groups below @cg it does not work in: their I/O is charged further up. */
unsigned cgroup_count_without_io(const struct cgroup *cg);

#endif
