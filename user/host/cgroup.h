/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cgroups of our own: made, entered, removed; both hierarchies. */
#ifndef IOSPAN_CGROUP_H
#define IOSPAN_CGROUP_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>
#include "bpf/types.h"

enum cgroup_tree {
	CGROUP_V2,
	CGROUP_BLKIO,  /* version 1, the hierarchy with the blkio controller */
	CGROUP_MEMORY, /* version 1, with the memory controller */
};

struct cgroup {
	char path[PATH_MAX]; /* in the file system; "" : none */
	u64 id;		     /* as the kernel programs see it */
	int level;	     /* depth; the root is 0 */
};

/* The group that this process is in. -ENOENT: that hierarchy is not mounted.
 * -EXDEV: its root cannot be seen from here (a cgroup namespace), so only the path
 * is known. No message. */
int cgroup_self(enum cgroup_tree tree, struct cgroup *cg);

/* -EINVAL, printed, where @path is there and in no file system of version 2. */
int cgroup_check_v2(const char *path);

/* The group at @path, which must lie in a cgroup file system. */
int cgroup_at(const char *path, struct cgroup *cg);

/* Where child @name of @parent will be; nothing is made yet. */
int cgroup_child(const struct cgroup *parent, const char *name, struct cgroup *cg);

/* Makes the directory and fills in the id. */
int cgroup_make(struct cgroup *cg);

/* Moves @pid (0: the caller) into the group. */
int cgroup_enter(const struct cgroup *cg, pid_t pid);

/* The processes in @cg, and those below, get no more than @bytes of memory, page cache
 * included. */
int cgroup_limit_memory(const struct cgroup *cg, enum cgroup_tree tree, u64 bytes);

#endif
