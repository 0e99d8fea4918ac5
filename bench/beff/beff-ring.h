/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The io_uring of a rank, which transfers several pieces of a file at the same time. */
#ifndef IOSPAN_BENCH_BEFF_RING_H
#define IOSPAN_BENCH_BEFF_RING_H

#include <liburing.h>
#include <stdbool.h>
#include "bpf/types.h"

#define BEFF_RING_DEPTH 64

struct beff_ring {
	struct io_uring ring;
	int fd;
	bool registered; /* the pieces lie in .buffers, which are registered */
	struct iovec buffers[2];
};

/* A piece of a file to transfer. The fields describe what is left of it. */
struct beff_piece {
	char *data;
	u64 bytes, at;
};

/* Registers the two buffers with the ring, unless it has done so before. Returns 0 or -errno. */
int beff_ring_register(struct beff_ring *f, const struct iovec buffers[2]);
/* Makes a ring that polls for completions, unless @f has one, and tries it on the file @fd, which
 * is open with O_DIRECT. Returns 0 or -errno; prints the error if @say. */
int beff_ring_poll(struct beff_ring *f, int fd, bool say);
/* Transfers @n pieces completely; @n is at most BEFF_RING_DEPTH. Returns 0 or the first -errno. */
int beff_ring_move(struct beff_ring *f, bool write, struct beff_piece *pieces, unsigned n);

#endif
