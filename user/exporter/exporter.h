/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A measurement as a document for Prometheus. Groups that are gone stay in it for a time, so that
 * what they did last is seen; when there are too many, the smallest are folded: they have no
 * series of their own any more. */
#ifndef IOSPAN_EXPORTER_H
#define IOSPAN_EXPORTER_H

#include "user/kernel/tracer.h"

struct exporter_limits {
	u64 keep_ns;	/* how long who is gone stays */
	u64 max_series; /* of all groups */
};

struct exporter;
struct exporter *exporter_new(unsigned layers, const struct exporter_limits *limits);
void exporter_free(struct exporter *e); /* NULL is fine */

/* What is known by now: @m, of all the time since the first one. */
void exporter_update(struct exporter *e, const struct measurement *m);

/* The document, of @size bytes; the caller frees it. */
char *exporter_text(const struct exporter *e, bool classic, size_t *size);

#endif
