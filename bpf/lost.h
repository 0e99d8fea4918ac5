/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* Estimates the end of an access that lost its completion: no program saw it. The kernel programs
 * repair most of these accesses and user/kernel/repair.c repairs the rest.
 *
 * The true end lies between the start of the access and the detection of the loss. If another
 * request has got the same tag, the loss is detected at its issue: the tag was free by then.
 * Between these bounds, the estimate is the current median latency of the disk and operation. It is
 * too long as often as too short.
 *
 * The ends of other accesses are no bounds. But the time of a span cannot go back before the latest
 * end that it has seen, so the access may leave its span later than it ends (cell_repair() in
 * bpf/cells.bpf.h). T includes that delay, the latency does not. */
#ifndef IOSPAN_LOST_H
#define IOSPAN_LOST_H

#include "bpf/types.h"

/* @median_ns: see user/kernel/median.h; 0: not known. */
static inline u64 lost_end_ns(u64 start_ns, u64 median_ns, u64 detected_ns)
{
	u64 end_ns = start_ns + median_ns;

	if (end_ns > detected_ns)
		end_ns = detected_ns;
	return end_ns < start_ns ? start_ns : end_ns;
}

#endif
