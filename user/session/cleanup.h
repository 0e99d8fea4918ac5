/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cleanup process: a process that removes objects, such as cgroups and files, when the process
 * that started it ends, even by SIGKILL. */
#ifndef IOSPAN_CLEANUP_H
#define IOSPAN_CLEANUP_H

#include <sys/types.h>

/* A function that removes the objects that @of names. Returns 0, a count of at most
 * CLEANUP_COUNT_MAX, or -errno. The count is limited, because the exit status of the cleanup
 * process carries it. */
#define CLEANUP_COUNT_MAX 254
typedef int cleanup_function(const void *of);

struct cleanup {
	pid_t pid; /* id of the cleanup process; 0: none was started */
	/* write end of a pipe; the cleanup process waits until all its copies are closed */
	int pipe;
	cleanup_function *clean;
	const void *of;
};

/* Starts the cleanup process. It calls @clean(@of) when this process and all its children have
 * exited, except children that called cleanup_detach(). The objects need not exist yet. The cleanup
 * process sees memory that is not shared as it was at this call. Returns 0 or -errno, and prints
 * the error. */
int cleanup_start(struct cleanup *c, cleanup_function *clean, const void *of);

/* Is called in a child of this process, so that the cleanup process does not wait for the child's
 * exit. */
void cleanup_detach(const struct cleanup *c);

/* Starts the cleanup now, waits for it and returns the result of @clean. If the cleanup process was
 * killed, calls @clean in this process. If one of the signals in signals.h is pending, stops
 * waiting and returns -EINTR; the cleanup then continues. Does nothing if no cleanup process was
 * started. */
int cleanup_finish(struct cleanup *c);

#endif
