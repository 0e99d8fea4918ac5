/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides which accesses of a trace are selected: by layer, operation, and names of disk, cgroup,
 * process and file. In addition to its path, a cgroup may have a readable name, such as
 * "docker:web". */
#ifndef IOSPAN_TRACE_FILTER_H
#define IOSPAN_TRACE_FILTER_H

#include "user/trace/trace.h"

struct trace_filter {
	/* .layers: bit mask of the accepted layers (1 << enum layer). .ops: bit mask of the
	 * accepted operations (1 << enum op). */
	unsigned layers, ops;
	/* text[kind]: list of patterns for the name of the disk, cgroup, process or file, in the
	 * form that trace_name_matches() takes; NULL: no filter */
	const char *text[TRACE_KINDS];
};
#define TRACE_FILTER_ALL ((struct trace_filter){ (1 << LAYERS) - 1, (1 << OP_MAX) - 1, {} })

/* A function that returns the name with number @number (above 0) of kind @kind (disk, cgroup,
 * process or file). @of is the object that stores the names, such as a struct trace_reader. */
typedef const struct trace_name *trace_lookup(const void *of, u32 kind, u32 number);

/* Returns true if the name @n matches one of the patterns in @list, which are separated by commas.
 * A pattern is an id, a name, or a glob pattern for a name. A pattern without a slash may also
 * match only the last component of the name.
 *
 * For a cgroup, the pattern is also compared with its readable name and with the names of its
 * container:
 *
 * - "pod=web*" is compared only with the name of the pod. "namespace=" and "container=" work in the
 *   same way.
 * - "web" is compared with the names of pod and container. */
bool trace_name_matches(const struct trace_name *n, const char *list);

/* Returns true if the cgroup with @path and @id on this machine matches one of the patterns in
 * @list; see trace_name_matches(). Looks up the names of the cgroup's container. */
bool trace_group_matches(const char *path, u64 id, const char *list);

/* Returns true if the name with number @number passes the filter for names of kind @kind. A cgroup
 * also passes if one of its parents passes. Number 0 stands for an unknown name, which passes only
 * if there is no filter for @kind. */
bool trace_filter_names(const struct trace_filter *f, u32 kind, u32 number, trace_lookup *lookup,
			const void *of);
/* Returns true if accesses with the attributes @s (layer, operation, disk and so on) pass the
 * filter. */
bool trace_filter_passes(const struct trace_filter *f, const struct trace_stream *s,
			 trace_lookup *lookup, const void *of);

#endif
