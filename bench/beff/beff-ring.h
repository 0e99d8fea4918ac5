/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The io_uring with which one rank transfers several parts of a file at the same time. */
#ifndef IOSPAN_BENCH_BEFF_RING_H
#define IOSPAN_BENCH_BEFF_RING_H

#include <liburing.h>
#include <stdbool.h>
#include "bpf/types.h"

#define BEFF_RING_DEPTH 64

struct beff_ring {
	struct io_uring ring;
	int fd;
	/* requests use the registered .buffers, which contain the data of all pieces */
	bool registered;
	struct iovec buffers[2];
};

/* The part of a transfer that is not done yet: .bytes at file offset .at, from or to .data. */
struct beff_piece {
	char *data;
	u64 bytes, at;
};

/* Registers the two buffers with the ring, only once. Returns 0 or -errno. */
int beff_ring_register(struct beff_ring *f, const struct iovec buffers[2]);
/* Makes a polling io_uring, unless @f has one, and tests it on @fd, which must be open with
 * O_DIRECT. Returns 0 or -errno; prints the error if @say. */
int beff_ring_poll(struct beff_ring *f, int fd, bool say);
/* Transfers @n pieces completely; @n is at most BEFF_RING_DEPTH. Returns 0 or the first -errno. */
int beff_ring_move(struct beff_ring *f, bool write, struct beff_piece *pieces, unsigned n);

#endif
