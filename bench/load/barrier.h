/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where processes that share memory wait for one another. */
#ifndef IOSPAN_BENCH_BARRIER_H
#define IOSPAN_BENCH_BARRIER_H

#include <stdbool.h>
#include "bpf/types.h"

struct barrier {		 /* of zeroes at first */
	u32 arrived, generation; /* how many are there, and how often all were */
};

/* Until @all are there. False: they will not be, as @is_lost(@arg) says; with NULL that cannot
 * happen. */
bool barrier_wait(struct barrier *b, u32 all, bool (*is_lost)(const void *), const void *arg);

#endif
