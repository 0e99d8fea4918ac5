/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A barrier at which processes wait for each other. It must be in memory that they share. */
#ifndef IOSPAN_BENCH_BARRIER_H
#define IOSPAN_BENCH_BARRIER_H

#include <stdbool.h>
#include "bpf/types.h"

struct barrier {
	/* .arrived: number of processes that wait now. .generation: how often all processes have
	 * met at this barrier. */
	u32 arrived, generation;
};

/* Waits until @all processes have called this function, and returns true. While it waits, it calls
 * @is_lost(@arg) at intervals. If @is_lost returns true, a process has died and will never arrive,
 * so this function returns false. If @is_lost is NULL, it waits without this check. */
bool barrier_wait(struct barrier *b, u32 all, bool (*is_lost)(const void *), const void *arg);

#endif
