/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The io_uring of a worker. The engine uring and NVMe passthrough (engine-nvme.c) share this
 * code. */
#ifndef IOSPAN_LOAD_ENGINE_URING_H
#define IOSPAN_LOAD_ENGINE_URING_H

#include <liburing.h>
#include "bench/load/load.h"

struct ring {
	struct io_uring ring;
	bool fixed; /* requests use buffers that are registered with the ring */
	int fd;	    /* a file that ring_close() closes; 0: none */
};

/* Initializes the ring w->engine, which is zeroed, for requests to the file @fd. Uses the flags
 * @setup, the flags that the options of the load need, and the best ones that the kernel supports.
 * Returns 0 or -errno; prints the error. */
int ring_open(struct worker *w, int fd, unsigned setup);
void ring_close(struct worker *w);
int ring_reap(struct worker *w, unsigned min, u64 until_ns);
/* Returns -ENOTSUP and prints an error if sysfs shows that the disk of @fd has no queues for
 * polling; otherwise 0. */
int ring_check_polling(int fd);
/* Tests, before the load starts, whether the disk accepts requests of @bytes: reads the first
 * @bytes of the worker's part of the target. Returns 0 or -errno; prints nothing. */
int ring_try(struct worker *w, u64 bytes);

/* Returns a free entry of the submission queue. With SQPOLL, a kernel thread frees entries a little
 * later than their requests end, so this waits for it. */
static inline struct io_uring_sqe *ring_next(struct io_uring *ring)
{
	struct io_uring_sqe *sqe;

	while (!(sqe = io_uring_get_sqe(ring)))
		io_uring_submit(ring);
	return sqe;
}

#endif
