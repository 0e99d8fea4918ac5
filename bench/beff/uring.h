/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A rank's state in the engine uring. */
#ifndef IOSPAN_BENCH_BEFF_URING_H
#define IOSPAN_BENCH_BEFF_URING_H

#include "bench/beff/engine.h"
#include "bench/beff/beff-ring.h"

#define BEFF_PAGE 4096

struct beff_uring {
	struct beff_ring io;
	struct beff_ring polled; /* made at the first hint "iopoll" */
	struct beff_ring *ring;	 /* the one in use: io or polled */
	/* set by hints: */
	bool collective, direct, polls, registered, preallocates;
	u64 agents, collective_bytes;
	int advice; /* POSIX_FADV_ */
};

#endif
