/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts measurements to a text document for Prometheus. A removed cgroup stays in the document
 * for @keep_ns, so that Prometheus can scrape its last I/O. If the cgroups need more than
 * @max_series series, the exporter folds the smallest cgroups: it writes no series for them, only
 * their I/O together. */
#ifndef IOSPAN_EXPORTER_H
#define IOSPAN_EXPORTER_H

#include "user/kernel/tracer.h"

struct exporter_limits {
	u64 keep_ns;	/* how long a removed cgroup stays in the document, in ns */
	u64 max_series; /* largest number of series of all cgroups together */
};

struct exporter;
struct exporter *exporter_new(unsigned layers, const struct exporter_limits *limits);
void exporter_free(struct exporter *e); /* @e may be NULL */

/* Replaces the numbers of @e by those of @m, which was measured since the start of the exporter. */
void exporter_update(struct exporter *e, const struct measurement *m);

/* Returns the document and stores its size in bytes in *@size. The caller frees it. If @classic is
 * true, the document has the older text format; see openmetrics.h. */
char *exporter_text(const struct exporter *e, bool classic, size_t *size);

#endif
