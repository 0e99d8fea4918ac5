/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_GUARD_PROCESSES_H
#define IOSPAN_GUARD_PROCESSES_H

#include "bench/guard/victims.h"

/* Search /proc for processes that use a disk or file in @v. victims_mounted() returns true if a
 * process sees a mount of one. victims_written() returns true if a process has one open or mapped
 * for writing. v->use->why then contains the text for the error message. */
bool victims_mounted(struct victims *v);
bool victims_written(struct victims *v);

#endif
