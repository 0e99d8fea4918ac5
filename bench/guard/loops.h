/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loop devices and the files that store their data. The search for victims uses them: the disks and
 * files that share bytes with the target of a benchmark. */
#ifndef IOSPAN_BENCH_GUARD_LOOPS_H
#define IOSPAN_BENCH_GUARD_LOOPS_H

#include "bench/guard/victims.h"

/* Adds a segment to @v for each loop device: the loop device, and the file that stores its data. If
 * this file is in an overlay, adds the file in the overlay's layer instead, because that file
 * stores the data. */
void loops_read(struct victims *v);

#endif
