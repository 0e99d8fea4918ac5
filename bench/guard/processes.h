/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_GUARD_PROCESSES_H
#define IOSPAN_GUARD_PROCESSES_H

#include "bench/guard/use.h"

/* What processes show: a victim is mounted in the namespace of one of them, or open for
 * writing. True when so, and the clause is written. */
bool victims_mounted(struct victims *v);
bool victims_written(struct victims *v);

#endif
