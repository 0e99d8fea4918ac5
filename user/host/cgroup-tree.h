/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operations on all cgroups below a cgroup. */
#ifndef IOSPAN_HOST_CGROUP_TREE_H
#define IOSPAN_HOST_CGROUP_TREE_H

#include "user/host/cgroup.h"

/* Removes @cg and all cgroups below it; moves their processes to the parent of @cg. Returns the
 * number of processes moved, or -errno; -EBUSY if a cgroup is still in use at @until_ns (now_ns()).
 * Returns 0 if @cg does not exist. */
int cgroup_remove(const struct cgroup *cg, u64 until_ns);

/* Returns whether the version 2 controller @name, such as "io", is enabled in @cg. If it is, the
 * kernel charges the resource to @cg itself. */
bool cgroup_has(const struct cgroup *cg, const char *name);

/* Returns the number of cgroups below @cg in which the io controller is not enabled. The kernel
 * charges their I/O to a parent cgroup. */
unsigned cgroup_count_without_io(const struct cgroup *cg);

#endif
