/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts a process that removes iospan's temporary objects, such as cgroups and files, when iospan
 * ends. It does so even if iospan is killed by SIGKILL. */
#ifndef IOSPAN_CLEANUP_H
#define IOSPAN_CLEANUP_H

#include <sys/types.h>

/* Largest count that a cleanup function may return. The cleanup process passes the count on as its
 * exit status, which has 8 bits; 255 means an error. */
#define CLEANUP_COUNT_MAX 254
typedef int cleanup_function(const void *of);

struct cleanup {
	pid_t pid; /* id of the cleanup process; 0: none was started */
	/* Write end of a pipe that nothing is written to. When iospan and all its children have
	 * closed it, the cleanup process sees the end of the pipe and starts the cleanup. */
	int pipe;
	cleanup_function *clean;
	const void *of;
};

/* Starts the cleanup process, which waits until this process and its children have exited and then
 * calls @clean(@of). It does not wait for children that called cleanup_detach(). The objects need
 * not exist yet. The cleanup process is a fork: it sees later changes of @of only if @of is in
 * shared memory. Returns 0 or -errno, and prints the error. */
int cleanup_start(struct cleanup *c, cleanup_function *clean, const void *of);

/* A child process calls this, so that the cleanup does not wait until the child exits. */
void cleanup_detach(const struct cleanup *c);

/* Starts the cleanup now, waits until it ends and returns the result of the function given to
 * cleanup_start(). If the cleanup process was killed, calls that function in this process. After a
 * signal such as SIGINT, returns -EINTR if the cleanup takes much longer; the cleanup process then
 * continues alone. Does nothing if no cleanup process was started. */
int cleanup_finish(struct cleanup *c);

#endif
