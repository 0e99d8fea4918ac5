/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A barrier at which processes wait for each other. It must be in memory that they share. */
#ifndef IOSPAN_BENCH_BARRIER_H
#define IOSPAN_BENCH_BARRIER_H

#include <stdbool.h>
#include "bpf/types.h"

struct barrier {
	/* .arrived: number of processes that wait now; .generation: number of times that all
	 * processes have met */
	u32 arrived, generation;
};

/* Waits until @all processes have called this function, and returns true. Returns false if
 * @is_lost(@arg) returns true meanwhile: a process has died and will never arrive. If @is_lost is
 * NULL, waits without this check. */
bool barrier_wait(struct barrier *b, u32 all, bool (*is_lost)(const void *), const void *arg);

#endif
