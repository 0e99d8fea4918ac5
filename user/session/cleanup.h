/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts a process that removes iospan's cgroups and files when iospan ends, even by SIGKILL. */
#ifndef IOSPAN_CLEANUP_H
#define IOSPAN_CLEANUP_H

#include <sys/types.h>

/* Largest count that a cleanup function may return. The count becomes the exit status of the
 * cleanup process, which has 8 bits; 255 is an error. */
#define CLEANUP_COUNT_MAX 254
typedef int cleanup_function(const void *of);

struct cleanup {
	pid_t pid; /* id of the cleanup process; 0: none was started */
	/* Write end of a pipe to which nothing is written. When iospan and its children have closed
	 * it, the cleanup process starts the cleanup. */
	int pipe;
	cleanup_function *clean;
	const void *of;
};

/* Starts a process that calls @clean(@of) when this process and its children have exited, except
 * children that called cleanup_detach(). It is a fork, so later changes of @of must be in shared
 * memory. Returns 0 or -errno; prints the error. */
int cleanup_start(struct cleanup *c, cleanup_function *clean, const void *of);

/* A child process calls this, so that the cleanup does not wait until the child exits. */
void cleanup_detach(const struct cleanup *c);

/* Starts the cleanup now, waits until it ends, and returns its result. If the cleanup process was
 * killed, cleans up in this process. After a signal such as SIGINT, returns -EINTR if the cleanup
 * takes long; the cleanup process then continues alone. Does nothing without cleanup_start(). */
int cleanup_finish(struct cleanup *c);

#endif
