/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A barrier for processes: its words are in memory that the processes share. */
#ifndef IOSPAN_BENCH_BARRIER_H
#define IOSPAN_BENCH_BARRIER_H

#include <stdbool.h>
#include "bpf/types.h"

struct barrier { /* the caller sets all fields to 0 */
	/* number of processes that wait now; number of times that all have met */
	u32 arrived, generation;
};

/* Waits until @all processes have called this function. Calls @is_lost(@arg) from time to time.
 * Returns false if that returns true, because a process has ended and will never arrive. If
 * @is_lost is NULL, waits without limit. */
bool barrier_wait(struct barrier *b, u32 all, bool (*is_lost)(const void *), const void *arg);

#endif
