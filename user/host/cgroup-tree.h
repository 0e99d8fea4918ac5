/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Removes a cgroup with all cgroups below it, and finds the cgroups to which the kernel charges
 * I/O. A hierarchy is a tree of cgroups: the one of version 2, or one per controller in version
 * 1. */
#ifndef IOSPAN_HOST_CGROUP_TREE_H
#define IOSPAN_HOST_CGROUP_TREE_H

#include "user/host/cgroup.h"

/* Identifies a cgroup for later removal, by a descriptor of the parent cgroup and by the cgroup's
 * id. The path is not sufficient, because a cgroup of version 1 can be renamed. */
struct cgroup_place {
	int parent; /* O_PATH descriptor of the parent's directory; -1: no parent */
	char name[NAME_MAX + 1];
	u64 id; /* id of the cgroup; 0: the cgroup is not created yet */
};

/* Opens the parent of @cg and sets @p, so that @cg can be removed later. @cg need not exist yet.
 * Sets p->parent to -1 if the path of @cg is "" or the parent cannot be opened. */
void cgroup_place_open(struct cgroup_place *p, const struct cgroup *cg);
void cgroup_place_close(struct cgroup_place *p);

/* Removes the cgroup and all cgroups below it. Moves their processes to the parent or, if the
 * kernel refuses, to this process's cgroup. Tries until the time @until_ns (a value of now_ns()).
 * Returns the number of processes moved, or -errno. -EBUSY: a cgroup is still in use at this
 * time. */
int cgroup_remove(const struct cgroup_place *p, u64 until_ns);

/* Returns true if no cgroup below @root, the root of version 2, has processes. */
bool cgroup_is_flat(const struct cgroup *root);

/* Returns true if the version 2 controller @name, such as "io", is enabled in @cg. If the
 * controller is enabled, the kernel charges the I/O (or other resource) of @cg to @cg and not to a
 * parent. */
bool cgroup_has(const struct cgroup *cg, const char *name);

/* Returns the number of cgroups below @cg in which the io controller is not enabled. The kernel
 * charges the I/O of such a cgroup to a parent. */
unsigned cgroup_count_without_io(const struct cgroup *cg);

#endif
