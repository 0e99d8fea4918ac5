/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of a file, moved at once by one ring: what a call of b_eff_io needs of io_uring. */
#ifndef IOSPAN_BENCH_BEFF_RING_H
#define IOSPAN_BENCH_BEFF_RING_H

#include <liburing.h>
#include <stdbool.h>
#include "bpf/types.h"

#define BEFF_RING_DEPTH 64

struct beff_ring {
	struct io_uring ring;
	int fd;
	bool registered; /* pieces lie in buffers that the kernel knows: */
	struct iovec buffers[2];
};

/* What is left to move of one. */
struct beff_piece {
	char *data;
	u64 bytes, at;
};

/* Makes the buffers known to the kernel, unless they are; -errno. */
int beff_ring_register(struct beff_ring *f, const struct iovec buffers[2]);
/* Makes it one that polls for what has ended, unless it is, and tries that with @fd, which goes
 * past the page cache. -errno; printed if @say. */
int beff_ring_poll(struct beff_ring *f, int fd, bool say);
/* Waits until all of up to BEFF_RING_DEPTH are moved. The first error: a negative errno. */
int beff_ring_move(struct beff_ring *f, bool write, struct beff_piece *pieces, unsigned n);

#endif
