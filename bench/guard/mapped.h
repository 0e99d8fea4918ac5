/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BENCH_GUARD_MAPPED_H
#define IOSPAN_BENCH_GUARD_MAPPED_H

#include "bench/guard/victims.h"

/* Adds device-mapper disks that are linear, such as logical volumes; none without CAP_SYS_ADMIN. */
void mapped_read(struct victims *v);

#endif
