/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_GUARD_PROCESSES_H
#define IOSPAN_GUARD_PROCESSES_H

#include "bench/guard/victims.h"

/* Search all processes in /proc for users of the disks and files in @v. victims_mounted() returns
 * true if one of them is mounted in the mount namespace of a process. victims_written() returns
 * true if a process has one of them open or mapped for writing. If true, v->use->why has the text
 * for the error. */
bool victims_mounted(struct victims *v);
bool victims_written(struct victims *v);

#endif
