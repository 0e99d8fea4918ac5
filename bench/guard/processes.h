/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_GUARD_PROCESSES_H
#define IOSPAN_GUARD_PROCESSES_H

#include "bench/guard/victims.h"

/* Return true if a process sees a mount of a disk or file in @v, or can write to it. v->use->why is
 * then the text for the error message. */
bool victims_mounted(struct victims *v);
bool victims_written(struct victims *v);

#endif
