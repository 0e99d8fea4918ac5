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

#endif
