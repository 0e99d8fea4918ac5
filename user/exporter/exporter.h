/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts measurements to a document for Prometheus. A removed cgroup stays in it for keep_ns, so
 * that its last I/O is scraped. Above max_series, the smallest cgroups are folded: only counters
 * for all folded cgroups together remain. */
#ifndef IOSPAN_EXPORTER_H
#define IOSPAN_EXPORTER_H

#include "user/kernel/tracer.h"

struct exporter_limits {
	u64 keep_ns;	/* how long a removed cgroup stays */
	u64 max_series; /* largest number of series of all cgroups */
};

struct exporter;
struct exporter *exporter_new(unsigned layers, const struct exporter_limits *limits);
void exporter_free(struct exporter *e); /* NULL is fine */

/* Takes the numbers of @m, a measurement since the start. */
void exporter_update(struct exporter *e, const struct measurement *m);

/* Returns the document of @size bytes; the caller frees it. @classic: see openmetrics.h. */
char *exporter_text(const struct exporter *e, bool classic, size_t *size);

#endif
