/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The io_uring of a worker, for the engine uring and for NVMe commands (engine-nvme.c). */
#ifndef IOSPAN_LOAD_ENGINE_URING_H
#define IOSPAN_LOAD_ENGINE_URING_H

#include <liburing.h>
#include "bench/load/load.h"

struct ring {
	struct io_uring ring;
	bool fixed; /* buffers are registered */
	int fd;	    /* registered file, if ring_close() must close it; else 0 */
};

/* Initializes the ring w->engine for file @fd. @setup is added to the flags that the spec requires
 * and the kernel supports. Returns 0 or -errno; prints the error. */
int ring_open(struct worker *w, int fd, unsigned setup);
void ring_close(struct worker *w);
int ring_reap(struct worker *w, unsigned min, u64 until_ns);
/* Returns 0, or -ENOTSUP if sysfs shows that the disk of @fd has no poll queues; prints the
 * error. */
int ring_check_polling(int fd);
/* Reads @bytes at the start of the worker's part of the target, to find unsupported requests before
 * the load starts. Returns 0 or -errno; prints nothing. */
int ring_try(struct worker *w, u64 bytes);

/* Returns a free entry of the submission queue. With SQPOLL an entry becomes free only some time
 * after its request ended, hence the loop. */
static inline struct io_uring_sqe *ring_next(struct io_uring *ring)
{
	struct io_uring_sqe *sqe;

	while (!(sqe = io_uring_get_sqe(ring)))
		io_uring_submit(ring);
	return sqe;
}

#endif
