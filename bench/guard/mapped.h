/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BENCH_GUARD_MAPPED_H
#define IOSPAN_BENCH_GUARD_MAPPED_H

#include "bench/guard/victims.h"

/* Adds the segments of all device-mapper disks that consist of linear targets only, such as logical
 * volumes. Needs CAP_SYS_ADMIN; without it, adds none. */
void mapped_read(struct victims *v);

#endif
