/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where processes that share memory wait for one another. */
#ifndef IOSPAN_BENCH_BARRIER_H
#define IOSPAN_BENCH_BARRIER_H

#include <stdbool.h>
#include "../bpf/types.h"

struct barrier {		/* of zeroes at first */
	u32 arrived, generation;	/* how many are there, and how often all were */
};

/* Until @all are there. False: somebody will not come, as *@order is not @value any more; with
 * NULL that cannot be. */
bool barrier_wait(struct barrier *b, u32 all, const u32 *order, u32 value);

#endif
