/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a rank of the engine uring has, and the hints that this engine knows. */
#ifndef IOSPAN_BENCH_BEFF_URING_H
#define IOSPAN_BENCH_BEFF_URING_H

#include "bench/beff/engine.h"
#include "bench/beff/beff-ring.h"

#define BEFF_PAGE 4096

struct beff_uring {
	struct beff_ring io;
	struct beff_ring polled; /* made when it is asked for */
	struct beff_ring *way;	 /* one of these */
	/* as hints have it: */
	bool collective, direct, polls, registered, reserves;
	u64 agents, collective_bytes;
	int advice; /* POSIX_FADV_ */
};

int beff_uring_knows(const struct beff_hint *hint);
/* Can a disk do what they say? -errno, printed. */
int beff_uring_check_hints(const char *dir, const struct beff_hints *h);
/* A pattern begins, with its hints. */
int beff_uring_view(struct beff_rank *r);

#endif
