/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a rank in the engine uring. */
#ifndef IOSPAN_BENCH_BEFF_URING_H
#define IOSPAN_BENCH_BEFF_URING_H

#include "bench/beff/engine.h"
#include "bench/beff/beff-ring.h"

#define BEFF_PAGE 4096

struct beff_uring {
	struct beff_ring io;
	struct beff_ring polled; /* ring that polls, made at the first hint "iopoll" */
	struct beff_ring *ring;	 /* the ring in use: &io or &polled */
	/* settings of the current pattern; hints can change them */
	bool collective, direct, polls, registered, preallocates;
	u64 agents, collective_bytes;
	int advice; /* advice for posix_fadvise(), POSIX_FADV_... */
};

#endif
