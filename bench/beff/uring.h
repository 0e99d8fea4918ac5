/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BENCH_BEFF_URING_H
#define IOSPAN_BENCH_BEFF_URING_H

#include "bench/beff/engine.h"
#include "bench/beff/beff-ring.h"

#define BEFF_PAGE 4096

struct beff_uring {
	struct beff_ring io;
	/* an io_uring that polls for completions; made when the hint "iopoll" first occurs */
	struct beff_ring polled;
	struct beff_ring *ring; /* the io_uring in use: &io or &polled */
	/* settings for the current pattern; hints override the options of the run */
	bool collective, direct, polls, registered, preallocates;
	u64 agents, collective_bytes;
	int advice; /* POSIX_FADV_... for posix_fadvise() */
};

#endif
