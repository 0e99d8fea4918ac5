/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selects accesses by their streams. */
#ifndef IOSPAN_TRACE_FILTER_H
#define IOSPAN_TRACE_FILTER_H

#include "user/trace/trace.h"

struct trace_filter {
	unsigned layers, ops;	       /* bits of LAYER_ and enum op */
	const char *text[TRACE_KINDS]; /* name, id or glob per kind; NULL: all */
};
#define TRACE_FILTER_ALL ((struct trace_filter){ (1 << LAYERS) - 1, (1 << OP_MAX) - 1, {} })

/* Returns the name with @number, which is not 0, in @of, for example a struct trace_reader. */
typedef const struct trace_name *trace_lookup(const void *of, u32 kind, u32 number);

/* Whether @n has the name or id @wanted, or matches it as a glob. */
bool trace_name_matches(const struct trace_name *n, const char *wanted);

/* Whether name @number of @kind passes the filter. A cgroup also passes if a parent does. Number 0,
 * unknown, passes only without a filter. */
bool trace_filter_names(const struct trace_filter *f, u32 kind, u32 number, trace_lookup *lookup,
			const void *of);
/* Whether accesses of @s pass the filter. */
bool trace_filter_passes(const struct trace_filter *f, const struct trace_stream *s,
			 trace_lookup *lookup, const void *of);

#endif
