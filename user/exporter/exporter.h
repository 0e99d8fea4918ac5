/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a document for Prometheus. A removed cgroup stays in the document for keep_ns, so that
 * Prometheus scrapes its last I/O. If the cgroups need more than max_series series, some cgroups
 * are folded: a folded cgroup has no series of its own, and its I/O is only in the total of all
 * folded cgroups. Removed cgroups and those with little I/O are folded first. */
#ifndef IOSPAN_EXPORTER_H
#define IOSPAN_EXPORTER_H

#include "user/exporter/bursts.h"
#include "user/kernel/tracer.h"

struct exporter_limits {
	u64 keep_ns; /* time for which a removed cgroup stays in the document, in ns */
	u64 max_series;
	/* limit of the run time of the vfs BPF programs, as a fraction of one CPU; 0: no limit */
	double cpu;
	/* List of patterns, see trace_group_matches(). A cgroup that matches no pattern is ignored:
	 * it has no series and is in no total. NULL: no cgroup is ignored. */
	const char *cgroup;
	struct bursts_limits bursts;
};

struct exporter;
struct exporter *exporter_new(unsigned layers, const struct exporter_limits *limits);
void exporter_free(struct exporter *e);

void exporter_update(struct exporter *e, const struct measurement *m);

/* Returns true if the current interval of the burst metrics is over at @elapsed_ns after the
 * start. */
bool exporter_due(const struct exporter *e, u64 elapsed_ns);

/* From now on, the document has no series of the vfs layer. Call this when the vfs layer is no
 * longer measured. */
void exporter_end_vfs(struct exporter *e);

/* Returns the document, which the caller frees, and stores its size in *@size. If @classic is true,
 * the document has the older text format; see openmetrics.h. */
char *exporter_text(const struct exporter *e, bool classic, size_t *size);

#endif
