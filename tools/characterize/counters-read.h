/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a log of counters: the numbers of bytes and operations of each I/O server, over time.
 * The first bytes of the log show its format. */
#ifndef IOSPAN_CHARACTERIZE_COUNTERS_READ_H
#define IOSPAN_CHARACTERIZE_COUNTERS_READ_H

#include "tools/characterize/counters.h"

struct prometheus_range;

/* Reads a log of counters from @path into @c. "-" is stdin. If @path is a URL of Prometheus,
 * queries the time range @range. The caller sets the options in @log. This function sets
 * log->elapsed_ns and the fields after it. Returns 0 or -errno; prints the error. */
int counters_read(struct counters *c, const char *path, struct counters_log *log,
		  const struct prometheus_range *range);

#endif
