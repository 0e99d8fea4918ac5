/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* The end of an access that lost its completion: no program saw it. The kernel programs, which
 * find most of them, and user/repair.c, which finds the rest, use this one rule. */
#ifndef IOSPAN_LOST_H
#define IOSPAN_LOST_H

#include "types.h"

/* @usual_ns: the current median latency of the disk and operation (user/usual.c); 0: not known.
 * @last_ns: the latest end that the access's own span has seen. A span above sees only the turns
 * of this one, so the end is not before it. @now: the loss is detected, so the end is not after
 * it. */
static inline u64 lost_end_ns(u64 start_ns, u64 usual_ns, u64 last_ns, u64 now)
{
	u64 end_ns = start_ns + usual_ns;

	if (end_ns < last_ns)
		end_ns = last_ns;
	return end_ns < now ? end_ns : now;
}

#endif
