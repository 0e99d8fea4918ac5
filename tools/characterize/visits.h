/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts accesses by their start times. The accesses arrive in batches, roughly in the order of
 * their ends. */
#ifndef IOSPAN_VISITS_H
#define IOSPAN_VISITS_H

#include "bpf/types.h"

struct visit {
	u64 start_ns, end_ns, bytes, offset;
	u64 number; /* number in the order of arrival, which orders accesses with equal starts */
	u32 server, process, file;
	u8 layer, op, flags;
};

/* Maximum number of accesses that are held back for sorting; they take 64 MiB. If there are
 * more, the oldest are passed on although an access that starts earlier may still arrive. */
#define VISITS_MAX (1U << 20)

/* The accesses that are held back for sorting. A zeroed struct is ready for use. */
struct visits {
	struct visit *at, *spare;
	u32 n, sorted, room;
	u64 added, last_ns;
	u64 late; /* number of accesses passed on after one that starts later */
};

void visits_add(struct visits *v, const struct visit *one);

/* Passes the accesses that start before @before_ns to @fn, in the order of their starts. No
 * access that is added later may start before @before_ns. */
void visits_settle(struct visits *v, u64 before_ns, void (*fn)(void *arg, const struct visit *one),
		   void *arg);
void visits_release(struct visits *v);

#endif
