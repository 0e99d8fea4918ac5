/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BENCH_GUARD_LOOPS_H
#define IOSPAN_BENCH_GUARD_LOOPS_H

#include "bench/guard/victims.h"

/* Adds a segment for each loop device that has a backing file. If this file is on an overlay, the
 * segment has the file in the layer that stores its data. */
void loops_read(struct victims *v);

#endif
