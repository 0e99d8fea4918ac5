/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A barrier in memory shared between processes. */
#ifndef IOSPAN_BENCH_BARRIER_H
#define IOSPAN_BENCH_BARRIER_H

#include <stdbool.h>
#include "bpf/types.h"

struct barrier {		 /* initialize with zeroes */
	u32 arrived, generation; /* processes that wait now; rounds completed so far */
};

/* Waits until @all processes wait. Returns false if @is_lost(@arg) reports that they never will;
 * NULL: wait without a check. */
bool barrier_wait(struct barrier *b, u32 all, bool (*is_lost)(const void *), const void *arg);

#endif
