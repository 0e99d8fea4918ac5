/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Device-mapper disks and the disks that store their data. The search for victims uses them: the
 * disks and files that share bytes with the target of a benchmark. */
#ifndef IOSPAN_BENCH_GUARD_MAPPED_H
#define IOSPAN_BENCH_GUARD_MAPPED_H

#include "bench/guard/victims.h"

/* Adds segments to @v for each device-mapper disk that maps linearly to other disks, such as a
 * logical volume. A segment is a range of bytes, with the disk that stores them. Needs
 * CAP_SYS_ADMIN; without it, adds none. */
void mapped_read(struct victims *v);

#endif
