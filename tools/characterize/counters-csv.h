/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the lines of a log of counters of I/O servers: CSV, or the output of mmpmon -p. */
#ifndef IOSPAN_CHARACTERIZE_COUNTERS_CSV_H
#define IOSPAN_CHARACTERIZE_COUNTERS_CSV_H

#include "tools/characterize/log-samples.h"

/* Adds the samples of the file @path to @s; "-" is stdin. Returns 0 or -errno; prints the error. */
int log_samples_read_lines(struct log_samples *s, const char *path);

#endif
