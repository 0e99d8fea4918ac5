/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The io_uring with which one process (rank) of b_eff_io transfers several parts (pieces) of a file
 * at the same time. */
#ifndef IOSPAN_BENCH_BEFF_RING_H
#define IOSPAN_BENCH_BEFF_RING_H

#include <liburing.h>
#include <stdbool.h>
#include "bpf/types.h"

#define BEFF_RING_DEPTH 64

struct beff_ring {
	struct io_uring ring;
	int fd;
	/* true: requests use the registered .buffers, so the data of all pieces must be in
	 * .buffers */
	bool registered;
	struct iovec buffers[2];
};

/* A part of a file to transfer: .bytes at file offset .at, from or to .data. After a short
 * transfer, the fields describe the remaining bytes. */
struct beff_piece {
	char *data;
	u64 bytes, at;
};

/* Registers the two buffers with the ring, unless they are already registered. Returns 0 or
 * -errno. */
int beff_ring_register(struct beff_ring *f, const struct iovec buffers[2]);
/* If @f has no io_uring yet, makes an io_uring that polls for completions (IORING_SETUP_IOPOLL),
 * and tests it with a read of @fd. @fd must be open with O_DIRECT. Returns 0 or -errno; prints the
 * error only if @say is true. */
int beff_ring_poll(struct beff_ring *f, int fd, bool say);
/* Transfers @n pieces completely; @n is at most BEFF_RING_DEPTH. Returns 0 or the first -errno. */
int beff_ring_move(struct beff_ring *f, bool write, struct beff_piece *pieces, unsigned n);

#endif
