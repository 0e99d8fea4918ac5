/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_GUARD_PROCESSES_H
#define IOSPAN_GUARD_PROCESSES_H

#include "bench/guard/victims.h"

/* Search all processes in /proc: is a victim mounted in the namespace of one of them, or does one
 * have it open or mapped for writing? If true, the clause in v->use is written. */
bool victims_mounted(struct victims *v);
bool victims_written(struct victims *v);

#endif
