/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BENCH_GUARD_LOOPS_H
#define IOSPAN_BENCH_GUARD_LOOPS_H

#include "bench/guard/victims.h"

/* Adds a segment for each loop device that has a backing file. A file of an overlay is replaced by
 * its real file. */
void loops_read(struct victims *v);

#endif
