/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selects accesses by layer, operation and the names of disk, cgroup, process and file. */
#ifndef IOSPAN_TRACE_FILTER_H
#define IOSPAN_TRACE_FILTER_H

#include "user/trace/trace.h"

struct trace_filter {
	unsigned layers, ops; /* sets of bits: 1 << LAYER_..., and 1 << enum op */
	/* name, id or glob pattern for each kind of name; NULL: no filter */
	const char *text[TRACE_KINDS];
};
#define TRACE_FILTER_ALL ((struct trace_filter){ (1 << LAYERS) - 1, (1 << OP_MAX) - 1, {} })

/* Returns the name of @kind with @number, which is not 0. @of is the object that has the names,
 * such as a struct trace_reader. */
typedef const struct trace_name *trace_lookup(const void *of, u32 kind, u32 number);

/* Returns true if @n has the name or id @wanted, or if its name matches the glob pattern
 * @wanted. */
bool trace_name_matches(const struct trace_name *n, const char *wanted);

/* Returns true if name @number of @kind passes the filter. A cgroup also passes if one of its
 * parents does. @number 0 means that the name is unknown; it passes only if there is no filter for
 * @kind. */
bool trace_filter_names(const struct trace_filter *f, u32 kind, u32 number, trace_lookup *lookup,
			const void *of);
/* Returns true if the accesses of stream @s pass the filter. */
bool trace_filter_passes(const struct trace_filter *f, const struct trace_stream *s,
			 trace_lookup *lookup, const void *of);

#endif
