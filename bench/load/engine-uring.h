/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rings of the engine uring, for the commands that go through them as well. */
#ifndef IOSPAN_RING_H
#define IOSPAN_RING_H

#include <liburing.h>
#include "bench/load/load.h"

struct ring {
	struct io_uring ring;
	bool fixed; /* buffers are registered */
	int fd;	    /* of the file that is registered, if it is our own; else 0 */
};

/* A ring for file @fd, with flags @setup besides those that the spec and the kernel ask
 * for; it becomes w->engine. -errno, printed. */
int ring_open(struct worker *w, int fd, unsigned setup);
void ring_close(struct worker *w);
int ring_reap(struct worker *w, unsigned min, u64 until_ns);
/* Has the disk of @fd queues to poll, as far as it tells? -errno, printed. */
int ring_check_polling(int fd);
/* Reads @bytes at the begin of the worker's part: what the kernel does not do, it says now.
 * -errno, not printed. */
int ring_try(struct worker *w, u64 bytes);

/* Room for the next request. A thread of the kernel that polls gives it back a little after
 * the end of what was there. */
static inline struct io_uring_sqe *ring_next(struct io_uring *ring)
{
	struct io_uring_sqe *sqe;

	while (!(sqe = io_uring_get_sqe(ring)))
		io_uring_submit(ring);
	return sqe;
}

#endif
