/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which accesses are wanted, by what they have in common. */
#ifndef IOSPAN_TRACE_FILTER_H
#define IOSPAN_TRACE_FILTER_H

#include "user/trace/trace.h"
#include "user/trace/write.h"

struct trace_filter {
	unsigned layers, ops;	       /* bits; op: enum op */
	const char *text[TRACE_KINDS]; /* a name, an id or a glob; NULL: all */
};
#define TRACE_FILTER_ALL ((struct trace_filter){ (1 << LAYERS) - 1, (1 << OP_MAX) - 1, {} })

/* The name that has @number, which is not 0, in whatever @of is. */
typedef const struct trace_name *trace_namer(const void *of, u32 kind, u32 number);

/* Is @n what the user called @wanted? */
bool trace_name_matches(const struct trace_name *n, const char *wanted);

/* Is that what the user said of this kind? Of a group, it or one above. Number 0, what is
 * not known, is nothing that one can ask for. */
bool trace_filter_names(const struct trace_filter *f, u32 kind, u32 number, trace_namer *namer,
			const void *of);
/* Are accesses of @s wanted? */
bool trace_filter_passes(const struct trace_filter *f, const struct trace_stream *s,
			 trace_namer *namer, const void *of);

#endif
