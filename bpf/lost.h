/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* The end of an access that lost its completion: no program saw it. The kernel programs, which
 * find most of them, and user/kernel/repair.c, which finds the rest, use this one rule.
 *
 * The true end is not known, but two bounds are. The access was in flight at its start, so the
 * end is not before that. It was over when the loss was detected, so the end is not after that.
 * If the next request of the same tag shows the loss, its issue is the detection: the tag was
 * free by then. Between the bounds, the current median latency of the disk and operation is the
 * estimate that is too long as often as too short.
 *
 * Ends of other accesses are no bound: they say nothing about this one. But a span cannot go
 * back before the latest end that it has seen, so the access may leave its span later than
 * it ends (cell_end_lost() in bpf/cells.bpf.h). The delay is in T, but not in the latency. */
#ifndef IOSPAN_LOST_H
#define IOSPAN_LOST_H

#include "bpf/types.h"

/* @usual_ns: the median (user/kernel/usual.c); 0: not known. @detected_ns: the upper bound. */
static inline u64 lost_end_ns(u64 start_ns, u64 usual_ns, u64 detected_ns)
{
	u64 end_ns = start_ns + usual_ns;

	if (end_ns > detected_ns)
		end_ns = detected_ns;
	return end_ns < start_ns ? start_ns : end_ns;
}

#endif
