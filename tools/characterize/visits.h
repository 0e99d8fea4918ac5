/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts accesses by start time. They arrive in batches, roughly in the order of end times. */
#ifndef IOSPAN_VISITS_H
#define IOSPAN_VISITS_H

#include "bpf/types.h"

struct visit {
	u64 start_ns, end_ns, bytes, offset;
	u64 number; /* order of arrival; orders accesses with equal starts */
	u32 server, process, file;
	u8 layer, op, flags;
};

/* Accesses held back, 64 MiB. Above that, the oldest are passed on before it is certain that none
 * starts earlier. */
#define VISITS_MAX (1U << 20)

/* A zeroed struct is empty. */
struct visits {
	struct visit *at, *spare;
	u32 n, sorted, room;
	u64 added, last_ns;
	u64 late; /* accesses passed on after one that starts later */
};

void visits_add(struct visits *v, const struct visit *one);

/* Passes the accesses that start before @before_ns to @fn. The caller promises that no access added
 * later starts before. */
void visits_settle(struct visits *v, u64 before_ns, void (*fn)(void *arg, const struct visit *one),
		   void *arg);
void visits_release(struct visits *v);

#endif
