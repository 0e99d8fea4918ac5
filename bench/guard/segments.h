/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Segments: where loop devices and device-mapper disks, such as logical volumes, store their data.
 * The search for victims uses them. */
#ifndef IOSPAN_BENCH_GUARD_SEGMENTS_H
#define IOSPAN_BENCH_GUARD_SEGMENTS_H

#include "bench/guard/victims.h"

/* Adds a segment to @v for each loop device, and segments for each device-mapper disk that maps
 * linearly to other disks. If the file of a loop device is in an overlay, the segment has the file
 * in the overlay's layer, which stores the data. The table of a device-mapper disk needs
 * CAP_SYS_ADMIN; without it, its segments are missing. */
void segments_read(struct victims *v);

#endif
