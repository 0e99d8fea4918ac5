/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Removes a cgroup with those below it, and finds those to which the kernel charges I/O. */
#ifndef IOSPAN_HOST_CGROUP_TREE_H
#define IOSPAN_HOST_CGROUP_TREE_H

#include "user/host/cgroup.h"

/* A cgroup to remove later, by its parent's descriptor and its id: in version 1, both may be
 * renamed, but not moved. */
struct cgroup_place {
	int parent; /* O_PATH; -1: no parent */
	char name[NAME_MAX + 1];
	u64 id; /* 0: not created yet */
};

/* Opens the parent of @cg, which need not exist; -1 if its path is "". */
void cgroup_place_open(struct cgroup_place *p, const struct cgroup *cg);
void cgroup_place_close(struct cgroup_place *p);

/* Removes the cgroup and those below it. Moves their processes to the parent or, if the kernel
 * refuses, to this process's cgroup, and returns their number. Returns -EBUSY if it is in use at
 * @until_ns (now_ns()), or -errno. */
int cgroup_remove(const struct cgroup_place *p, u64 until_ns);

/* Returns true if the version 2 controller @name, such as "io", is enabled in @cg: the kernel
 * charges @cg and not a parent. */
bool cgroup_has(const struct cgroup *cg, const char *name);

/* Returns the number of cgroups below @cg without the io controller: the kernel charges a
 * parent. */
unsigned cgroup_count_without_io(const struct cgroup *cg);

#endif
