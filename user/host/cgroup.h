/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds and changes one cgroup. Functions return 0 or -errno, and most print nothing. A hierarchy
 * is a tree of cgroups: the one of version 2, or one per controller in version 1. */
#ifndef IOSPAN_CGROUP_H
#define IOSPAN_CGROUP_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>
#include "bpf/types.h"

enum cgroup_tree {
	CGROUP_V2,
	CGROUP_BLKIO,  /* version 1: hierarchy with the blkio controller */
	CGROUP_MEMORY, /* version 1: hierarchy with the memory controller */
};

struct cgroup {
	char path[PATH_MAX]; /* path of the cgroup's directory; "": no cgroup */
	/* inode number, as the kernel and BPF programs use it; 0: not created yet */
	u64 id;
	int level; /* number of cgroups above this one; the root has 0 */
};

/* Sets @cg to this process's cgroup in hierarchy @tree. Returns -ENOENT if the hierarchy is not
 * mounted. If the root of the hierarchy is outside of this process's cgroup namespace, sets only
 * cg->path and returns -EXDEV. */
int cgroup_self(enum cgroup_tree tree, struct cgroup *cg);

/* If @path exists and is not in a version 2 hierarchy, prints an error and returns -EINVAL. */
int cgroup_check_v2(const char *path);

int cgroup_at(const char *path, struct cgroup *cg);

/* Sets @cg to the child @name of @parent. Does not create the child. */
int cgroup_child(const struct cgroup *parent, const char *name, struct cgroup *cg);

int cgroup_make(struct cgroup *cg);

/* Moves process @pid to @cg; 0 is the calling process. */
int cgroup_enter(const struct cgroup *cg, pid_t pid);

/* Limits the memory, including the page cache, that @cg and all cgroups below it may use together
 * to @bytes. */
int cgroup_limit_memory(const struct cgroup *cg, enum cgroup_tree tree, u64 bytes);

#endif
