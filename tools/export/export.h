/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts traces to formats of other programs. An exporter is a C file for one output format. Its
 * struct exporter is listed in exporters[] in export.c. */
#ifndef IOSPAN_EXPORT_H
#define IOSPAN_EXPORT_H

#include "tools/input/access.h"
#include "user/trace/write.h"

struct export
{
	const struct exporter *to;
	FILE *f;
	void *own;	  /* memory for use by the exporter: own_size bytes, zero at first */
	const char *path; /* path of the trace that is being exported */
	unsigned traces;
	u64 first_ns;		     /* earliest start of an access in all traces */
	struct trace_reader *reader; /* reader of the current trace, for looking up names */
};

/* A stream: the accesses with the same layer, operation, source, disk, cgroup, process and file. */
struct export_stream {
	struct trace_stream is;
	/* result of exporter.stream(): the text that is the same for all accesses of this stream */
	char *text;
};

struct exporter {
	const char *name;
	size_t own_size; /* size in bytes of export->own */
	void (*begin)(struct export *e);
	/* Returns the text that all accesses of a stream have in common. The caller frees it. */
	char *(*stream)(struct export *e, const struct access *x);
	void (*access)(struct export *e, const struct export_stream *s,
		       const struct trace_access *a);
	/* trace_end() is called after each trace, and end() after all traces. If a signal
	 * interrupts the export, both are still called, so that the output is a valid document.
	 * begin(), trace_end() and end() may be NULL. */
	void (*trace_end)(struct export *e);
	void (*end)(struct export *e);
};
extern const struct exporter export_chrome, export_csv, export_jsonl;

const struct exporter *export_find(const char *name);

/* Converts the @n traces @paths to one file @output. If @output is NULL, writes to stdout, which
 * the caller flushes. Returns 0 or -errno; prints the error. */
int export_run(const struct exporter *to, const char *output, char *const *paths, unsigned n);

#endif
