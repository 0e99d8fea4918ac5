/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Creates io_urings. */
#ifndef IOSPAN_LOAD_RING_INIT_H
#define IOSPAN_LOAD_RING_INIT_H

#include <liburing.h>

/* Works like io_uring_queue_init(), but waits up to 10 s if RLIMIT_MEMLOCK leaves no memory for the
 * ring. The limit is for all rings of a user. The kernel frees the memory of a ring only some
 * milliseconds after close(). So the rings of the previous load may still use up the limit. */
int ring_init(unsigned entries, struct io_uring *ring, unsigned flags);

/* Prints the reason for @ret, a negative errno from ring_init(). If @engine is not NULL, also
 * suggests that engine instead. Returns @ret. */
int ring_init_error(int ret, unsigned entries, const char *engine);

#endif
