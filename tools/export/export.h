/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a trace in a format of other programs. An exporter is one file that ends with its
 * struct exporter. The comment at exporters[] in export.c says how to add one. */
#ifndef IOSPAN_EXPORT_H
#define IOSPAN_EXPORT_H

#include "tools/input/access.h"
#include "user/trace/write.h"

struct export
{
	const struct exporter *to;
	FILE *f;
	void *own;		     /* memory of the exporter: own_size bytes, zero at first */
	const char *path;	     /* path of the current trace */
	unsigned traces;	     /* number of traces */
	u64 first_ns;		     /* earliest start in all traces */
	struct trace_reader *reader; /* reader of the current trace; it also has the names */
};

struct export_stream {
	struct trace_stream is;
	char *text; /* text made by exporter->stream(), or NULL if not made yet */
};

struct exporter {
	const char *name; /* argument of --format */
	size_t own_size;  /* size of export->own */
	void (*begin)(struct export *e);
	/* Returns the text that all accesses of a stream have in common. The names are in @x. It
	 * is called once per trace and stream. The caller frees the text. */
	char *(*stream)(struct export *e, const struct access *x);
	void (*access)(struct export *e, const struct export_stream *s,
		       const struct trace_access *a);
	/* trace_end() is called after each trace, end() after all traces. They must leave a
	 * valid document even if the export was interrupted. begin(), trace_end() and end() may
	 * be NULL. */
	void (*trace_end)(struct export *e);
	void (*end)(struct export *e);
};
extern const struct exporter export_chrome, export_csv, export_jsonl;

/* Returns the exporter with this name, or NULL. */
const struct exporter *export_find(const char *name);

/* Exports the traces @paths to the file @output. If @output is NULL, exports to stdout, which
 * the caller flushes. Returns 0 or -errno; prints the error. */
int export_run(const struct exporter *to, const char *output, char *const *paths, unsigned n);

#endif
