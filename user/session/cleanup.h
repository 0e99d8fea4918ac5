/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A process that cleans up after this one, even if this one is killed by SIGKILL. */
#ifndef IOSPAN_CLEANUP_H
#define IOSPAN_CLEANUP_H

#include <sys/types.h>

/* Removes the objects that @of names. Returns 0, a count of at most CLEANUP_COUNT_MAX (the exit
 * status carries it), or -errno. */
#define CLEANUP_COUNT_MAX 254
typedef int cleanup_function(const void *of);

struct cleanup {
	pid_t pid; /* of the cleanup process; 0: none */
	int pipe;  /* write end; the cleanup process waits until all copies are closed */
	cleanup_function *clean;
	const void *of;
};

/* Starts a process that calls @clean(@of) when this process and all its children have exited,
 * except children that called cleanup_detach(). The objects need not exist yet. Memory that is
 * not shared is read as it was at this call. -errno, printed. */
int cleanup_start(struct cleanup *c, cleanup_function *clean, const void *of);

/* For a child of this process: the cleanup process does not wait for the child's exit. */
void cleanup_detach(const struct cleanup *c);

/* Starts the cleanup now, waits for it and returns the result of @clean. If the cleanup process was
 * killed, calls @clean in this process. Returns -EINTR, while the cleanup continues, if a signal
 * of signals.h is pending. Does nothing if no process was started. */
int cleanup_finish(struct cleanup *c);

#endif
