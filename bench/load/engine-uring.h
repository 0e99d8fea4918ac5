/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The io_uring of a worker, for the engine uring and for NVMe commands (engine-nvme.c). */
#ifndef IOSPAN_LOAD_ENGINE_URING_H
#define IOSPAN_LOAD_ENGINE_URING_H

#include <liburing.h>
#include "bench/load/load.h"

struct ring {
	struct io_uring ring;
	bool fixed; /* the buffers are registered with the ring */
	int fd;	    /* file that ring_close() must close; 0: none */
};

/* Initializes the ring w->engine for requests to the file @fd. Uses the setup flags @setup, those
 * that the load specification needs, and those that this kernel supports. Returns 0 or -errno;
 * prints the error. */
int ring_open(struct worker *w, int fd, unsigned setup);
void ring_close(struct worker *w);
int ring_reap(struct worker *w, unsigned min, u64 until_ns);
/* Checks that the disk of @fd has poll queues. Returns -ENOTSUP and prints the error if sysfs shows
 * that it has none; else 0. */
int ring_check_polling(int fd);
/* Reads @bytes at the start of the worker's part of the target. This finds requests that the disk
 * does not support before the load starts. Returns 0 or -errno; prints nothing. */
int ring_try(struct worker *w, u64 bytes);

/* Returns a free entry of the submission queue. Waits for one in a loop, because with SQPOLL the
 * kernel thread frees an entry some time after its request ended. */
static inline struct io_uring_sqe *ring_next(struct io_uring *ring)
{
	struct io_uring_sqe *sqe;

	while (!(sqe = io_uring_get_sqe(ring)))
		io_uring_submit(ring);
	return sqe;
}

#endif
