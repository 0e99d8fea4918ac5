/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts accesses by their starts. Accesses arrive roughly in the order of their ends. An access is
 * held in memory until no access with an earlier start can arrive, and is then passed to the
 * caller. So only a few accesses are in memory at a time. */
#ifndef IOSPAN_VISITS_H
#define IOSPAN_VISITS_H

#include "bpf/types.h"

struct visit {
	u64 start_ns, end_ns, bytes, offset;
	/* position in the order of arrival, by which accesses with equal start times are sorted */
	u64 number;
	u32 server, process, file;
	u8 layer, op, flags;
};

/* Maximum number of accesses in memory; each takes 112 bytes. If there are more, the earliest are
 * passed to the caller, although an access with an earlier start may still arrive. */
#define VISITS_MAX (1U << 20)

/* Accesses that have arrived but are not passed on yet. A zeroed struct is ready for use. */
struct visits {
	struct visit *at, *spare;
	u32 n, sorted, room;
	u64 added, last_ns;
	/* number of accesses that were passed on too late, after an access with a later start */
	u64 late;
};

void visits_add(struct visits *v, const struct visit *one);

/* Passes the accesses that start before @before_ns to @fn, in the order of their starts. If more
 * than VISITS_MAX accesses remain in memory, also passes the earliest of the remaining accesses to
 * @fn. After this call, the caller must not add an access that starts before @before_ns. */
void visits_settle(struct visits *v, u64 before_ns, void (*fn)(void *arg, const struct visit *one),
		   void *arg);
void visits_release(struct visits *v);

#endif
