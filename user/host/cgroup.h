/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One cgroup of version 1 or 2: found, created, entered, limited. Functions return -errno and print
 * nothing unless noted. */
#ifndef IOSPAN_CGROUP_H
#define IOSPAN_CGROUP_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>
#include "bpf/types.h"

enum cgroup_tree {
	CGROUP_V2,
	CGROUP_BLKIO,  /* version 1, hierarchy of the blkio controller */
	CGROUP_MEMORY, /* version 1, hierarchy of the memory controller */
};

struct cgroup {
	char path[PATH_MAX]; /* of its directory; "": none */
	u64 id;		     /* the kernel's id, as BPF programs see it */
	int level;	     /* depth; the root is 0 */
};

/* Finds the cgroup of this process. -ENOENT: the hierarchy is not mounted. -EXDEV: its root is
 * outside of our cgroup namespace; then only the path is set. */
int cgroup_self(enum cgroup_tree tree, struct cgroup *cg);

/* Returns -EINVAL if @path exists and is not in a version 2 hierarchy; prints the error. */
int cgroup_check_v2(const char *path);

/* Finds the cgroup of directory @path. */
int cgroup_at(const char *path, struct cgroup *cg);

/* Sets @cg to the future child @name of @parent. Creates nothing. */
int cgroup_child(const struct cgroup *parent, const char *name, struct cgroup *cg);

/* Creates the directory and sets the id. */
int cgroup_make(struct cgroup *cg);

/* Moves process @pid (0: the caller) to @cg. */
int cgroup_enter(const struct cgroup *cg, pid_t pid);

/* Limits the memory, page cache included, of the processes in @cg and below it. */
int cgroup_limit_memory(const struct cgroup *cg, enum cgroup_tree tree, u64 bytes);

#endif
