/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* Estimates the end of an access for which no BPF program saw the completion event. The BPF
 * programs repair most of these accesses with it. user/kernel/repair.c repairs the other ones.
 *
 * The true end lies between the start of the access and the detection of the loss. iospan detects
 * it at the latest when the kernel issues another request with the same tag. The estimate is the
 * start plus the current median latency of the disk and operation, limited to this interval. So it
 * is too late as often as too early.
 *
 * The latency uses this estimate. T may use a later time: T cannot go below the latest end that the
 * span already has, so cell_repair() in bpf/cells.bpf.h may remove the access from its span
 * later. */
#ifndef IOSPAN_LOST_H
#define IOSPAN_LOST_H

#include "bpf/types.h"

/* Returns the estimated end of an access. @median_ns is the median latency from
 * user/kernel/median.h, 0 if not known. The loss was detected at @detected_ns. */
static inline u64 lost_end_ns(u64 start_ns, u64 median_ns, u64 detected_ns)
{
	u64 end_ns = start_ns + median_ns;

	if (end_ns > detected_ns)
		end_ns = detected_ns;
	return end_ns < start_ns ? start_ns : end_ns;
}

#endif
