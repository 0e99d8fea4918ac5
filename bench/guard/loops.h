/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BENCH_GUARD_LOOPS_H
#define IOSPAN_BENCH_GUARD_LOOPS_H

#include "bench/guard/victims.h"

/* Reads all loop devices that have a backing file. A file of an overlay is replaced by its real
 * file. Returns their number; the caller frees *@loops. */
unsigned loops_read(const struct host *h, struct loop **loops);

#endif
