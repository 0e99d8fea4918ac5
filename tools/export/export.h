/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a trace in a format of other programs. An exporter is one file that ends in a const struct
 * exporter; exporters[] in export.c says how to add one. */
#ifndef IOSPAN_EXPORT_H
#define IOSPAN_EXPORT_H

#include "tools/input/access.h"
#include "user/trace/write.h"

struct export
{
	const struct exporter *to;
	FILE *f;
	void *own;		     /* the exporter's, exporter->own_size zeros */
	const char *path;	     /* path of the current trace */
	unsigned traces;	     /* number of traces */
	u64 first_ns;		     /* earliest start in all traces */
	struct trace_reader *reader; /* reader of the current trace; has its names */
};

struct export_stream {
	struct trace_stream is;
	char *text; /* text made by exporter->stream(); NULL: not made yet */
};

struct exporter {
	const char *name; /* word for --format */
	size_t own_size;  /* size of export->own */
	void (*begin)(struct export *e);
	/* Returns the text that the accesses of a stream have in common; @x has the names. Called
	 * once per trace and stream. The caller frees the text. */
	char *(*stream)(struct export *e, const struct access *x);
	void (*access)(struct export *e, const struct export_stream *s,
		       const struct trace_access *a);
	/* Called after each trace, and after all. Must leave a valid document, even if the export
	 * was interrupted. Both, and begin(), may be NULL. */
	void (*trace_end)(struct export *e);
	void (*end)(struct export *e);
};
extern const struct exporter export_chrome, export_csv, export_jsonl;

/* Returns the exporter of that name, or NULL. */
const struct exporter *export_find(const char *name);

/* Exports the traces @paths to @output. NULL: to stdout, which the caller flushes. Returns 0 or
 * -errno; prints the error. */
int export_run(const struct exporter *to, const char *output, char *const *paths, unsigned n);

#endif
