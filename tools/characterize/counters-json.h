/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads samples of counters from the output of `iospan stat --json`, and from Prometheus. */
#ifndef IOSPAN_CHARACTERIZE_COUNTERS_JSON_H
#define IOSPAN_CHARACTERIZE_COUNTERS_JSON_H

#include "tools/characterize/log-samples.h"
#include "tools/input/prometheus.h"

/* Add the samples of the file @path to @s. Return 0 or -errno; print the error. For
 * log_samples_read_stat(), "-" is stdin. For log_samples_read_prometheus(), @path may be a URL,
 * which is asked for the time @range. */
int log_samples_read_stat(struct log_samples *s, const char *path);
int log_samples_read_prometheus(struct log_samples *s, const char *path,
				const struct prometheus_range *range);

#endif
