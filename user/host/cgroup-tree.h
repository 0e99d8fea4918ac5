/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Removes a cgroup with those below it, and finds those to which the kernel charges I/O. */
#ifndef IOSPAN_HOST_CGROUP_TREE_H
#define IOSPAN_HOST_CGROUP_TREE_H

#include "user/host/cgroup.h"

/* A cgroup by its parent's descriptor and its id: in version 1, its path may change. */
struct cgroup_place {
	int parent; /* O_PATH descriptor of the parent's directory; -1: no parent */
	char name[NAME_MAX + 1];
	u64 id; /* id of the cgroup; 0: the cgroup is not created yet */
};

/* Opens the parent of @cg; @cg need not exist. p->parent is -1 if the path of @cg is "". */
void cgroup_place_open(struct cgroup_place *p, const struct cgroup *cg);
void cgroup_place_close(struct cgroup_place *p);

/* Removes the cgroup and those below it. Moves their processes to the parent or, if the kernel
 * refuses, to this process's cgroup, and returns their number. Returns -EBUSY if it is in use at
 * @until_ns (now_ns()), or -errno. */
int cgroup_remove(const struct cgroup_place *p, u64 until_ns);

/* Returns true if all processes are in the root @root of a hierarchy. Ignores cgroups of iospan. */
bool cgroup_is_flat(const struct cgroup *root);

/* Returns true if the version 2 controller @name, such as "io", is enabled in @cg. Then the kernel
 * charges the I/O or other resource to @cg and not to a parent. */
bool cgroup_has(const struct cgroup *cg, const char *name);

/* Returns the number of cgroups below @cg without the io controller: a parent is charged. */
unsigned cgroup_count_without_io(const struct cgroup *cg);

#endif
