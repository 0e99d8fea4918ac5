// SPDX-License-Identifier: GPL-2.0-or-later
/* Exports traces in one of several formats. A stream is the accesses with the same layer,
 * operation, disk, cgroup, process and file. A part of the text is the same for all accesses of a
 * stream, so it is made only once. */
#include "tools/export/export.h"
#include "tools/input/input.h"

#include <stdlib.h>

#include "user/base/need.h"
#include "user/base/output.h"
#include "user/base/signals.h"
#include "user/base/words.h"
#include "user/trace/trace-read.h"

/* To add an export format:
 *
 *	tools/export/FORMAT.c			the exporter: its functions and struct exporter
 *	tools/export/export.h			declaration of the struct exporter
 *	tools/export/export.c			a row in exporters[] below
 *	tools/cmd-export.c			help of --format, list of formats
 *	Documentation/iospan-export.rst		a section for the format
 *	tests/commands/export.py		test cases */
static const struct exporter *const exporters[] = {
	&export_csv,
	&export_jsonl,
	&export_chrome,
	NULL,
};

const struct exporter *export_find(const char *name)
{
	return words_element("format", exporters, name);
}

struct exporting {
	struct export e;
	/* the streams of the trace (see struct export_stream), indexed by their numbers in the
	 * trace */
	struct export_stream *streams;
	u32 streams_n;
	u64 accesses;
	int signals; /* descriptor from signals_catch(), on which SIGINT and others arrive */
	u64 last_signal_ns;
	bool interrupted;
};

static void set_name(struct trace_name *to, const struct export *e, u32 kind, u32 number)
{
	const struct trace_name *n = number ? trace_name_of(e->reader, kind, number) : NULL;

	if (n)
		*to = *n;
}

static void make_stream(struct export *e, struct export_stream *s, u32 number)
{
	struct access x = ACCESS_NONE;

	s->is = *trace_stream_of(e->reader, number);
	x.layer = s->is.layer;
	x.op = s->is.op;
	x.source = s->is.source;
	set_name(&x.disk, e, TRACE_DISK, s->is.disk);
	set_name(&x.group, e, TRACE_GROUP, s->is.group);
	set_name(&x.process, e, TRACE_PROCESS, s->is.process);
	set_name(&x.file, e, TRACE_FILE, s->is.file);
	s->text = e->to->stream(e, &x);
}

/* Returns stream @number of the trace. The first call for a stream makes its text. @number is
 * always valid, because the trace reader leaves out accesses with an unknown stream. */
static const struct export_stream *find_stream(struct exporting *w, u32 number)
{
	w->streams = need_index(w->streams, &w->streams_n, number, sizeof(*w->streams));
	if (!w->streams[number].text)
		make_stream(&w->e, &w->streams[number], number);
	return &w->streams[number];
}

static void forget_streams(struct exporting *w)
{
	for (u32 i = 0; i < w->streams_n; i++)
		free(w->streams[i].text);
	free(w->streams);
	w->streams = NULL;
	w->streams_n = 0;
}

static void write_batch(struct exporting *w, const struct trace_batch *b)
{
	for (u32 i = 0; i < b->n; i++) {
		const struct trace_access a = {
			b->start_ns[i],	 b->end_ns[i],	b->bytes[i],  b->offset[i],
			b->queued_ns[i], b->held_ns[i], b->stream[i], b->flags[i],
		};

		w->e.to->access(&w->e, find_stream(w, b->stream[i]), &a);
	}
	w->accesses += b->n;
}

/* Writes all accesses of one trace. Returns 1 at the end of the trace. Returns 0 if a signal or a
 * write error stopped the export. Returns -errno if the trace cannot be read. */
static int write_trace(struct exporting *w)
{
	const struct trace_batch *batch;
	int ret;

	while ((ret = trace_next(w->e.reader, &batch)) > 0) {
		write_batch(w, batch);
		w->interrupted = signals_came(w->signals, &w->last_signal_ns);
		if (w->interrupted || ferror(w->e.f))
			return 0;
	}
	return ret < 0 ? ret : 1;
}

static void warn_damage(const struct export *e, bool last)
{
	const struct trace_state *s = trace_state(e->reader);

	if (!s->whole)
		warn("'%s' is cut off: the last accesses are missing", e->path);
	if (s->followed && last)
		warn("'%s' is continued in another file, which was not given", e->path);
	if (s->bad_chunks || s->unknown || s->ignored_bytes)
		warn("'%s' is damaged: %llu bad chunks, %llu bytes ignored, %llu accesses "
		     "left out, as their names are lost",
		     e->path, (unsigned long long)s->bad_chunks,
		     (unsigned long long)s->ignored_bytes, (unsigned long long)s->unknown);
}

#define ALL_COLUMNS (TRACE_OFFSET | TRACE_QUEUED | TRACE_HELD)

/* Checks before any output that all files are traces. Sets w->e.first_ns to the earliest start of
 * an access. */
static int check_traces(struct exporting *w, char *const *paths, unsigned n)
{
	u64 first_ns = ~0ULL;
	int ret = 0;

	for (unsigned i = 0; i < n && ret >= 0; i++) {
		const struct trace_batch *b;

		ret = trace_open(&w->e.reader, paths[i], 0);
		if (ret < 0)
			return ret;
		ret = trace_next(w->e.reader, &b);
		if (ret > 0 && b->first_ns < first_ns)
			first_ns = b->first_ns;
		if (ret > 0 && b->before_ns < first_ns)
			first_ns = b->before_ns;
		trace_close(w->e.reader);
	}
	w->e.first_ns = first_ns == ~0ULL ? 0 : first_ns;
	return ret < 0 ? ret : 0;
}

static int write_one(struct exporting *w, const char *path, bool last)
{
	int ret = trace_open(&w->e.reader, path, ALL_COLUMNS);

	if (ret < 0)
		return ret;
	w->e.path = path;
	ret = write_trace(w);
	if (ret > 0)
		warn_damage(&w->e, last);
	if (w->e.to->trace_end)
		w->e.to->trace_end(&w->e);
	forget_streams(w);
	trace_close(w->e.reader);
	return ret;
}

static int write_traces(struct exporting *w, char *const *paths, unsigned n)
{
	int ret = 1;

	if (w->e.to->begin)
		w->e.to->begin(&w->e);
	for (unsigned i = 0; i < n && ret > 0; i++)
		ret = write_one(w, paths[i], i + 1 == n);
	if (w->e.to->end)
		w->e.to->end(&w->e);
	return ret < 0 ? ret : 0;
}

static int write_output(struct exporting *w, const char *output, char *const *paths, unsigned n)
{
	struct output out;
	int ret;

	if (!output) {
		w->e.f = stdout;
		return write_traces(w, paths, n);
	}
	ret = output_open(&out, output) ?: input_spared(&out, paths, n);
	if (!ret) {
		w->e.f = output_stream(&out);
		ret = w->e.f ? write_traces(w, paths, n) : -EIO;
	}
	if (!ret)
		ret = output_end(&out);
	output_drop(&out);
	return ret;
}

int export_run(const struct exporter *to, const char *output, char *const *paths, unsigned n)
{
	struct exporting w = { .e = { .to = to, .traces = n } };
	sigset_t before;
	int ret = check_traces(&w, paths, n);

	if (ret < 0)
		return ret;
	w.signals = signals_catch(0, &before);
	if (w.signals < 0)
		return w.signals;
	w.e.own = need(calloc(1, to->own_size + 1));
	ret = write_output(&w, output, paths, n);
	free(w.e.own);
	signals_release(w.signals, &before);
	if (!ret && w.interrupted)
		ret = error(-EINTR,
			    "interrupted after %llu accesses: the output is valid, but not "
			    "complete",
			    (unsigned long long)w.accesses);
	return ret;
}
