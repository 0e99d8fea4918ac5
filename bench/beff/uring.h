/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine uring of b_eff_io: one process (rank) accesses its files by io_uring. A pattern is a
 * series of calls with one chunk size. A hint sets an option for some patterns. */
#ifndef IOSPAN_BENCH_BEFF_URING_H
#define IOSPAN_BENCH_BEFF_URING_H

#include "bench/beff/engine.h"
#include "bench/beff/beff-ring.h"

#define BEFF_PAGE 4096

struct beff_uring {
	struct beff_ring io;
	/* io_uring that polls for completions; it is made when the hint "iopoll" first occurs */
	struct beff_ring polled;
	struct beff_ring *ring; /* the io_uring in use: &io or &polled */
	/* Settings for the current pattern: the options of the run, changed by the hints (--hints)
	 * for this pattern. */
	bool collective, direct, polls, registered, preallocates;
	u64 agents, collective_bytes;
	int advice; /* advice for posix_fadvise(), a POSIX_FADV_... constant */
};

#endif
