/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Removes a cgroup with all cgroups below it, and finds out for which of them the kernel charges
 * I/O. */
#ifndef IOSPAN_HOST_CGROUP_TREE_H
#define IOSPAN_HOST_CGROUP_TREE_H

#include "user/host/cgroup.h"

/* Identifies a cgroup that is to be removed later, by the descriptor of its parent and its id. The
 * path is not enough: in version 1, any process with permission may rename the cgroup and its
 * parent. It cannot move them to another directory. */
struct cgroup_place {
	int parent; /* O_PATH descriptor of the parent's directory; -1: no parent */
	char name[NAME_MAX + 1];
	u64 id; /* id of the cgroup; 0: the cgroup is not created yet */
};

/* Opens the parent of @cg. @cg itself need not exist. If the path of @cg is "", sets p->parent to
 * -1. */
void cgroup_place_open(struct cgroup_place *p, const struct cgroup *cg);
void cgroup_place_close(struct cgroup_place *p);

/* Removes the cgroup and all cgroups below it. Moves their processes to the parent or, if the
 * kernel refuses that, to the cgroup of this process. Returns the number of processes moved, which
 * is 0 if the cgroup does not exist. Returns -EBUSY if a cgroup is still in use at @until_ns (by
 * now_ns()), or another -errno. */
int cgroup_remove(const struct cgroup_place *p, u64 until_ns);

/* Returns true if all processes are in the root @root of a hierarchy. Ignores cgroups of iospan. */
bool cgroup_is_flat(const struct cgroup *root);

/* Returns true if the version 2 controller @name, such as "io", is enabled in @cg. Then the kernel
 * charges the I/O or other resource to @cg and not to a parent. */
bool cgroup_has(const struct cgroup *cg, const char *name);

/* Returns the number of cgroups below @cg in which the io controller is not enabled. The kernel
 * charges the I/O of these cgroups to a parent. */
unsigned cgroup_count_without_io(const struct cgroup *cg);

#endif
