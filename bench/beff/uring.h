/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine uring of b_eff_io: one process (rank) accesses its files by io_uring. A piece is a
 * part of a file to transfer. A pattern repeats I/O calls with one chunk size. */
#ifndef IOSPAN_BENCH_BEFF_URING_H
#define IOSPAN_BENCH_BEFF_URING_H

#include <liburing.h>

#include "bench/beff/engine.h"

#define BEFF_PAGE 4096

#define BEFF_RING_DEPTH 64

struct beff_ring {
	struct io_uring ring;
	int fd;
	/* true: requests use the registered .buffers, so the data of all pieces must be in
	 * .buffers */
	bool registered;
	struct iovec buffers[2];
};

/* A part of a file to transfer: .bytes bytes at file offset .at, from or to .data. After a short
 * transfer, the fields describe the bytes that remain. */
struct beff_piece {
	char *data;
	u64 bytes, at;
};

/* Registers the two buffers with the ring, unless they are already registered. Returns 0 or
 * -errno. */
int beff_ring_register(struct beff_ring *f, const struct iovec buffers[2]);
/* If @f has no io_uring yet, makes one that polls for completions (IORING_SETUP_IOPOLL), and tests
 * it by a read of @fd. @fd must be open with O_DIRECT. Returns 0 or -errno; prints the error only
 * if @say is true. */
int beff_ring_poll(struct beff_ring *f, int fd, bool say);
/* Transfers @n pieces completely; @n is at most BEFF_RING_DEPTH. Returns 0 or the first -errno. */
int beff_ring_move(struct beff_ring *f, bool write, struct beff_piece *pieces, unsigned n);

struct beff_uring {
	struct beff_ring io;
	/* io_uring that polls for completions; made when a pattern first has the hint "iopoll" */
	struct beff_ring polled;
	struct beff_ring *ring; /* the io_uring in use: &io or &polled */
	/* Settings for the current pattern: the options of the run, changed by the hints for this
	 * pattern. */
	bool collective, direct, polls, registered, preallocates;
	u64 agents, collective_bytes;
	int advice; /* advice for posix_fadvise(), a POSIX_FADV_... constant */
};

/* Checks key and value of a hint; implements .knows of struct beff_engine. */
int beff_uring_knows(const struct beff_hint *hint);
/* If a hint asks for polled I/O (iopoll), checks that the disk below @dir supports it. Returns 0 or
 * -errno; prints the error. */
int beff_uring_check_hints(const char *dir, const struct beff_hints *h);
/* Applies the hints for a pattern to the open file; implements .view of struct beff_io. */
int beff_uring_view(struct beff_rank *r);

#endif
