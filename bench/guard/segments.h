/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Segments: where loop devices and device-mapper disks, such as logical volumes, store their data.
 * The search for victims uses them. */
#ifndef IOSPAN_BENCH_GUARD_SEGMENTS_H
#define IOSPAN_BENCH_GUARD_SEGMENTS_H

#include "bench/guard/victims.h"

/* Adds to @v the segments of all loop devices, and of the device-mapper disks that map linearly to
 * other disks. If the file of a loop device is in an overlay, the segment refers to the file in the
 * overlay's layer, which stores the data. Only a process with CAP_SYS_ADMIN can read the tables of
 * device-mapper disks. Without it, the segments of these disks are missing. */
void segments_read(struct victims *v);

#endif
