/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* Estimates the end of an access that lost its completion: no BPF program saw its completion event.
 * The BPF programs repair most of these accesses. user/kernel/repair.c repairs the other ones.
 *
 * The true end lies between the start of the access and the detection of the loss. If the kernel
 * gave the same tag to another request, iospan detects the loss at the issue of that request.
 * Between these bounds, the estimate is the current median latency of the disk and operation. It is
 * too long as often as too short.
 *
 * The ends of other accesses are no bounds. But the time of a span cannot go back before the latest
 * end that it contains, so the access may leave its span later than it ends (cell_repair() in
 * bpf/cells.bpf.h). T includes that delay, the latency does not. */
#ifndef IOSPAN_LOST_H
#define IOSPAN_LOST_H

#include "bpf/types.h"

/* Returns the estimated end of an access. @median_ns is from user/kernel/median.h, or 0 if it is
 * not known. */
static inline u64 lost_end_ns(u64 start_ns, u64 median_ns, u64 detected_ns)
{
	u64 end_ns = start_ns + median_ns;

	if (end_ns > detected_ns)
		end_ns = detected_ns;
	return end_ns < start_ns ? start_ns : end_ns;
}

#endif
