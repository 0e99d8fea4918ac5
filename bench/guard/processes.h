/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches for processes that use a victim: a disk or file that shares bytes with the target. */
#ifndef IOSPAN_GUARD_PROCESSES_H
#define IOSPAN_GUARD_PROCESSES_H

#include "bench/guard/victims.h"

/* victims_mounted() returns true if a process sees a mount of a disk or file in @v.
 * victims_written() returns true if a process can write to a disk or file in @v. If a function
 * returns true, it has set v->use->why to the text for the error message. */
bool victims_mounted(struct victims *v);
bool victims_written(struct victims *v);

#endif
