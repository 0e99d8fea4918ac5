/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_CHARACTERIZE_COUNTERS_CSV_H
#define IOSPAN_CHARACTERIZE_COUNTERS_CSV_H

#include "tools/characterize/counters.h"

/* Reads @path, "-": the standard input. -errno, printed. */
int counters_read(struct counters *c, const char *path, struct counters_log *log);

#endif
