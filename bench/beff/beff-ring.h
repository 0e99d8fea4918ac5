/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The io_uring of a rank: transfers several pieces of a file at the same time. */
#ifndef IOSPAN_BENCH_BEFF_RING_H
#define IOSPAN_BENCH_BEFF_RING_H

#include <liburing.h>
#include <stdbool.h>
#include "bpf/types.h"

#define BEFF_RING_DEPTH 64

struct beff_ring {
	struct io_uring ring;
	int fd;
	bool registered; /* pieces lie in registered buffers */
	struct iovec buffers[2];
};

/* The rest of a transfer. */
struct beff_piece {
	char *data;
	u64 bytes, at;
};

/* Registers the buffers with the kernel, unless they are registered. Returns 0 or -errno. */
int beff_ring_register(struct beff_ring *f, const struct iovec buffers[2]);
/* Makes a ring that polls for completions, unless there is one, and tries it on @fd, which has
 * O_DIRECT. Returns 0 or -errno; prints the error if @say. */
int beff_ring_poll(struct beff_ring *f, int fd, bool say);
/* Transfers up to BEFF_RING_DEPTH pieces completely. Returns 0 or -errno, the first error. */
int beff_ring_move(struct beff_ring *f, bool write, struct beff_piece *pieces, unsigned n);

#endif
