/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The test mode of bpf/stamps.bpf.h, on when the environment has STAMPS_ENV: the file
 * that the time stamps go to, a line for each interval: disk, operation, id of the
 * cgroup, start, end. */
#ifndef IOSPAN_STAMPS_H
#define IOSPAN_STAMPS_H

#include "maps.h"

#define STAMPS_ENV "IOSPAN_STAMPS"
#define STAMPS_ROOM (1 << 21)

bool stamps_wanted(void);

/* What the command itself ends, when it repairs. */
void stamps_keep(struct maps *m, u32 cell, u64 start, u64 end);

/* An error, printed, if there was no room for all. Nothing to do: 0. */
int stamps_write(const struct maps *m);

#endif
