/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_GUARD_PROCESSES_H
#define IOSPAN_GUARD_PROCESSES_H

#include "bench/guard/victims.h"

/* Search /proc for processes that see a mount of a disk or file in @v, or have one open or mapped
 * for writing. If so, v->use->why is the text for the error message. */
bool victims_mounted(struct victims *v);
bool victims_written(struct victims *v);

#endif
