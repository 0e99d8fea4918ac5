/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* Estimates the end of an access with a lost completion event.
 *
 * The estimate is the start plus the median latency of the disk and operation, at most the
 * detection of the loss. So it is too late as often as too early. The latency uses it; T may use a
 * later time (cell_repair()). */
#ifndef IOSPAN_LOST_H
#define IOSPAN_LOST_H

#include "bpf/types.h"

/* Returns the estimated end. @median_ns is from user/kernel/median.h, 0 if not known. */
static inline u64 lost_end_ns(u64 start_ns, u64 median_ns, u64 detected_ns)
{
	u64 end_ns = start_ns + median_ns;

	if (end_ns > detected_ns)
		end_ns = detected_ns;
	return end_ns < start_ns ? start_ns : end_ns;
}

#endif
