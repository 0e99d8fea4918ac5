/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a log of counters: the numbers of bytes and operations of each I/O server, over time. */
#ifndef IOSPAN_CHARACTERIZE_COUNTERS_CSV_H
#define IOSPAN_CHARACTERIZE_COUNTERS_CSV_H

#include "tools/characterize/counters.h"

/* Reads a log of counters from @path, or from stdin if @path is "-", into @c. The log is CSV with a
 * line for each server and time. The caller sets the options in @log. This function sets
 * log->elapsed_ns and the fields after it. Returns 0 or -errno; prints the error. */
int counters_read(struct counters *c, const char *path, struct counters_log *log);

#endif
