/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Segments: where loop devices and device-mapper disks, such as logical volumes, store their data.
 * The search for victims uses them. */
#ifndef IOSPAN_BENCH_GUARD_SEGMENTS_H
#define IOSPAN_BENCH_GUARD_SEGMENTS_H

#include "bench/guard/victims.h"

/* Adds a segment to @v for each loop device. Also adds the segments of each device-mapper disk that
 * maps linearly to other disks. If the file of a loop device is in an overlay, the segment has the
 * file of the overlay's layer, because this file stores the data. To read the table of a
 * device-mapper disk, iospan needs CAP_SYS_ADMIN. Without this capability, its segments are
 * missing. */
void segments_read(struct victims *v);

#endif
