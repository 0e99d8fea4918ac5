/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operations on all cgroups below a cgroup. */
#ifndef IOSPAN_HOST_CGROUP_TREE_H
#define IOSPAN_HOST_CGROUP_TREE_H

#include "user/host/cgroup.h"

/* Where a cgroup is, for its removal. In version 1, any process with permission may rename the
 * cgroup and its parent, but not move them to another directory. */
struct cgroup_place {
	int parent; /* its directory, O_PATH; -1: there is none */
	char name[NAME_MAX + 1];
	u64 id; /* of the cgroup; 0: it is not made yet */
};

/* Opens the parent of @cg, which need not exist. If its path is "", there is no parent. */
void cgroup_place_open(struct cgroup_place *p, const struct cgroup *cg);
void cgroup_place_close(struct cgroup_place *p);

/* Removes the cgroup and all cgroups below it. Moves their processes to the parent, or, if the
 * kernel refuses them there, to the cgroup of this process. Returns the number of processes moved,
 * or -errno; -EBUSY if a cgroup is still in use at @until_ns (now_ns()). Returns 0 if the cgroup
 * does not exist. */
int cgroup_remove(const struct cgroup_place *p, u64 until_ns);

/* Returns whether the version 2 controller @name, such as "io", is enabled in @cg. If it is, the
 * kernel charges the resource to @cg itself. */
bool cgroup_has(const struct cgroup *cg, const char *name);

/* Returns the number of cgroups below @cg in which the io controller is not enabled. The kernel
 * charges their I/O to a parent cgroup. */
unsigned cgroup_count_without_io(const struct cgroup *cg);

#endif
