/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The io_uring through which a worker (a process or thread of a load) issues its requests. The
 * engine uring and NVMe passthrough (engine-nvme.c) use it. */
#ifndef IOSPAN_LOAD_ENGINE_URING_H
#define IOSPAN_LOAD_ENGINE_URING_H

#include <liburing.h>
#include "bench/load/load.h"

struct ring {
	struct io_uring ring;
	bool fixed;
	int fd; /* NVMe character device, which ring_close() closes; 0: none */
};

/* Works like io_uring_queue_init(), but waits up to 10 s if RLIMIT_MEMLOCK leaves no memory for the
 * ring. The limit is for all rings of a user. The kernel frees the memory of a ring only some
 * milliseconds after close(). So the rings of the previous load may still use up the limit. */
int ring_init(unsigned entries, struct io_uring *ring, unsigned flags);

/* Prints the reason for @ret, a negative errno from ring_init(). If @engine is not NULL, also
 * suggests that engine instead. Returns @ret. */
int ring_init_error(int ret, unsigned entries, const char *engine);

/* Initializes the ring in w->engine, a zeroed struct ring, for requests to @fd. Uses the flags
 * @setup and the fastest flags that this kernel supports. Returns 0 or -errno; prints the error. */
int ring_open(struct worker *w, int fd, unsigned setup);
void ring_close(struct worker *w);
int ring_reap(struct worker *w, bool wait, u64 until_ns);
/* Returns -ENOTSUP and prints an error if sysfs shows no poll queues for the disk of @fd, otherwise
 * returns 0. */
int ring_check_polling(int fd);
/* Tests if the disk accepts requests of @bytes bytes. To do so, reads once from the start of the
 * worker's part of the target. Returns 0 or -errno; prints nothing. */
int ring_try(struct worker *w, u64 bytes);

/* Returns a free entry of the submission queue; waits until an entry is free. With SQPOLL, a kernel
 * thread may free an entry as late as at the end of its request. */
static inline struct io_uring_sqe *ring_next(struct io_uring *ring)
{
	struct io_uring_sqe *sqe;

	while (!(sqe = io_uring_get_sqe(ring)))
		io_uring_submit(ring);
	return sqe;
}

#endif
