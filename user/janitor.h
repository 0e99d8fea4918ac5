/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process that cleans up after us however we end: kill -9 leaves us no chance. */
#ifndef IOSPAN_JANITOR_H
#define IOSPAN_JANITOR_H

#include <sys/types.h>
#include "cgroup.h"

#define JANITOR_GROUPS 3

struct janitor {
	pid_t pid;	/* 0: none */
	int pipe;	/* its other end tells the janitor that we are gone */
	const struct cgroup *const *groups;
};

/* From here on the JANITOR_GROUPS @groups (some maybe the same, some maybe "") go when we go.
 * They need not be there yet; their paths may not change any more, and they stay where they
 * are. Errors are printed. */
int janitor_start(struct janitor *j, const struct cgroup *const *groups);

/* For a child of ours: the janitor does not wait for its end. */
void janitor_leave(const struct janitor *j);

/* Lets it do its work now. Returns how many processes still lived in the groups:
 * they go on, in the group above; or -errno. If somebody killed it, we do its work.
 * Safe where none was started. */
int janitor_end(struct janitor *j);

#endif
