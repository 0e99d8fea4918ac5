/* SPDX-License-Identifier: GPL-2.0-only OR GPL-2.0-or-later */
/* Estimates the end of an access with a lost completion event.
 *
 * The estimate is the start plus the median latency of the disk and operation, but not later than
 * the detection of the loss. So about half of the estimates are too late. The latency of the access
 * is the time from its start to the estimated end. If another access in the same span has ended
 * later than the estimated end, T (the busy time) already includes the time until then. So the
 * access leaves its span at that later time: see cell_repair(). */
#ifndef IOSPAN_LOST_H
#define IOSPAN_LOST_H

#include "bpf/types.h"

/* Returns the estimated end of an access. @median_ns is the median latency of its disk and
 * operation; 0: not known, so the access ends at its start. @detected_ns is the time at which
 * iospan detected the loss. The result is never later than @detected_ns and never before
 * @start_ns. */
static inline u64 lost_end_ns(u64 start_ns, u64 median_ns, u64 detected_ns)
{
	u64 end_ns = start_ns + median_ns;

	if (end_ns > detected_ns)
		end_ns = detected_ns;
	return end_ns < start_ns ? start_ns : end_ns;
}

#endif
