/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts a process that removes iospan's cgroups and files after iospan has ended, even if SIGKILL
 * ended it. */
#ifndef IOSPAN_CLEANUP_H
#define IOSPAN_CLEANUP_H

#include <sys/types.h>

/* Largest count that a cleanup function may return. The count becomes the exit status of the
 * cleanup process, which has 8 bits; 255 is an error. */
#define CLEANUP_COUNT_MAX 254
typedef int cleanup_function(const void *of);

struct cleanup {
	pid_t pid; /* id of the cleanup process; 0: none was started */
	/* One end of a socket pair; the cleanup process has the other end. When iospan and its
	 * children have closed this end, the cleanup starts. */
	int socket;
	cleanup_function *clean;
	const void *of;
};

/* Starts the cleanup process, a fork of iospan. The cleanup process calls @clean(@of) when iospan
 * and its children have exited. It does not wait for children that called cleanup_detach(). Signals
 * to iospan's process group or terminal session do not reach the cleanup process. It sees later
 * changes of @of only if @of is in shared memory. Returns 0, or -errno after it has printed an
 * error. */
int cleanup_start(struct cleanup *c, cleanup_function *clean, const void *of);

/* Call this in a child process of iospan. Otherwise the cleanup waits until the child exits,
 * too. */
void cleanup_detach(const struct cleanup *c);

/* Starts the cleanup now and waits until it ends. Returns the result of the cleanup function, or
 * -EBUSY if it failed. If the cleanup process was killed, this process cleans up. If a signal such
 * as SIGINT arrives and the cleanup takes long, returns -EINTR; the cleanup continues in the
 * background. Does nothing if cleanup_start() was not called. */
int cleanup_finish(struct cleanup *c);

#endif
