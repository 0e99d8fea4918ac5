/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The io_uring of a worker, for the engine uring and NVMe passthrough (engine-nvme.c). */
#ifndef IOSPAN_LOAD_ENGINE_URING_H
#define IOSPAN_LOAD_ENGINE_URING_H

#include <liburing.h>
#include "bench/load/load.h"

struct ring {
	struct io_uring ring;
	bool fixed;
	int fd; /* a file that ring_close() closes; 0: none */
};

/* Initializes w->engine, a zeroed struct ring, with @setup and the best flags of this kernel.
 * Returns 0 or -errno; prints the error. */
int ring_open(struct worker *w, int fd, unsigned setup);
void ring_close(struct worker *w);
int ring_reap(struct worker *w, unsigned min, u64 until_ns);
/* Returns -ENOTSUP and prints an error if sysfs shows no poll queues for the disk of @fd. */
int ring_check_polling(int fd);
/* Reads @bytes, to test if the disk accepts such requests. Returns 0 or -errno; prints nothing. */
int ring_try(struct worker *w, u64 bytes);

/* Waits for a free entry: with SQPOLL, a kernel thread frees entries a little late. */
static inline struct io_uring_sqe *ring_next(struct io_uring *ring)
{
	struct io_uring_sqe *sqe;

	while (!(sqe = io_uring_get_sqe(ring)))
		io_uring_submit(ring);
	return sqe;
}

#endif
