/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds, creates, enters and limits one cgroup of version 1 or 2. The functions return 0 or -errno.
 * They print no error, except cgroup_check_v2(). */
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
	char path[PATH_MAX]; /* path of its directory; "": no cgroup */
	/* id that the kernel and BPF programs use: the inode number; 0: not created yet */
	u64 id;
	int level; /* number of cgroups above it; the root has 0 */
};

/* Finds the cgroup of this process in hierarchy @tree. Returns -ENOENT if the hierarchy is not
 * mounted. Returns -EXDEV if the root of the hierarchy is outside of the cgroup namespace of this
 * process; then only cg->path is set. */
int cgroup_self(enum cgroup_tree tree, struct cgroup *cg);

/* Checks that @path is in a version 2 hierarchy. If it exists and is elsewhere, prints an error and
 * returns -EINVAL. */
int cgroup_check_v2(const char *path);

/* Sets @cg to the cgroup that has the directory @path. */
int cgroup_at(const char *path, struct cgroup *cg);

/* Sets @cg to the child @name of @parent, which need not exist. Does not create it. */
int cgroup_child(const struct cgroup *parent, const char *name, struct cgroup *cg);

/* Creates the directory of @cg and sets cg->id. */
int cgroup_make(struct cgroup *cg);

/* Moves process @pid to @cg; 0 is the calling process. */
int cgroup_enter(const struct cgroup *cg, pid_t pid);

/* Limits the memory of all processes in @cg and below it to @bytes. Their page cache is
 * included. */
int cgroup_limit_memory(const struct cgroup *cg, enum cgroup_tree tree, u64 bytes);

#endif
