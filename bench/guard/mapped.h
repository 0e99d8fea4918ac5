/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BENCH_GUARD_MAPPED_H
#define IOSPAN_BENCH_GUARD_MAPPED_H

#include "bench/guard/victims.h"

/* Adds device-mapper disks that map linearly to others, such as logical volumes. Adds none without
 * CAP_SYS_ADMIN. */
void mapped_read(struct victims *v);

#endif
