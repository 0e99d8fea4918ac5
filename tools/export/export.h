/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Export: a trace of ours in a format that others read.
 *
 * An exporter is one file that ends in one const struct exporter. To add one: write
 * tools/export-FORMAT.c, declare it below, add it to exporters[] in export.c, describe
 * it in Documentation/iospan-export.rst, and test it in tests/commands/export.py. */
#ifndef IOSPAN_EXPORT_H
#define IOSPAN_EXPORT_H

#include "tools/input/access.h"
#include "user/trace/write.h"

struct export
{
	const struct exporter *to;
	FILE *f;
	void *own;		     /* the exporter's */
	const char *path;	     /* of the trace that is read */
	unsigned traces;	     /* how many there are */
	u64 first_ns;		     /* begin of the first access of all traces */
	struct trace_reader *reader; /* of this trace; for names by number */
};

/* What the accesses of one stream of the trace share. */
struct export_stream {
	struct trace_stream is;
	char *text; /* the exporter's; NULL: not made yet */
};

struct exporter {
	const char *name; /* what --to calls it */
	size_t own_size;  /* of export->own, zeros before begin() */
	void (*begin)(struct export *e);
	/* The text of a stream, once per trace: @x has its names. The caller frees it. */
	char *(*stream)(struct export *e, const struct access *x);
	void (*access)(struct export *e, const struct export_stream *s,
		       const struct trace_access *a);
	/* Behind each trace, and behind all: what is written is valid then, also when
	 * accesses are missing, as the export was interrupted. NULL: nothing to do. */
	void (*trace_end)(struct export *e);
	void (*end)(struct export *e);
};
extern const struct exporter *const exporters[]; /* NULL-ended */
extern const struct exporter export_chrome, export_csv, export_jsonl;

const struct exporter *export_find(const char *name);

/* All of @paths to @output, NULL: stdout, which the caller flushes. -errno, printed. */
int export_run(const struct exporter *to, const char *output, char *const *paths, unsigned n);

#endif
