/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides which accesses of a trace a report or export includes: by layer, operation, and the names
 * of disk, cgroup, process and file. */
#ifndef IOSPAN_TRACE_FILTER_H
#define IOSPAN_TRACE_FILTER_H

#include "user/trace/trace.h"

struct trace_filter {
	/* bit masks of the accepted layers (1 << LAYER_...) and operations (1 << enum op) */
	unsigned layers, ops;
	/* text[kind]: the name, id or glob pattern that the disk, cgroup, process or file must
	 * match; NULL: no filter */
	const char *text[TRACE_KINDS];
};
#define TRACE_FILTER_ALL ((struct trace_filter){ (1 << LAYERS) - 1, (1 << OP_MAX) - 1, {} })

/* Looks up the name of kind @kind (disk, cgroup, process or file) that has number @number > 0 in a
 * trace. @of is the object that has the names, such as a struct trace_reader. */
typedef const struct trace_name *trace_lookup(const void *of, u32 kind, u32 number);

/* Returns true if the name or the id of @n is @wanted, or if its name matches @wanted as a glob
 * pattern. */
bool trace_name_matches(const struct trace_name *n, const char *wanted);

/* Returns true if the disk, cgroup, process or file with number @number passes the filter for its
 * @kind. A cgroup also passes if one of its parents does. Number 0 is an unknown name: it passes
 * only if the user gave no filter for @kind. */
bool trace_filter_names(const struct trace_filter *f, u32 kind, u32 number, trace_lookup *lookup,
			const void *of);
/* Returns true if accesses with the attributes @s (layer, operation, disk and so on) pass the
 * filter. */
bool trace_filter_passes(const struct trace_filter *f, const struct trace_stream *s,
			 trace_lookup *lookup, const void *of);

#endif
