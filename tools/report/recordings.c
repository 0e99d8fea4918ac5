// SPDX-License-Identifier: GPL-2.0-or-later
/* Describes how each trace was made. The metadata of a trace file is written at the start of the
 * recording. The sums are totals that the BPF programs counted; they are written at its end. */
#include "tools/report/evidence.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out-read.h"

/* How one trace was made. The length and exit status are in the sums, which the recorder writes
 * last. So both are unknown if the recorder was killed. */
struct recording {
	const struct evidence_file *first;
	const struct out *sums;
	u64 start_realtime_ns, elapsed_ns, status;
	bool has_start, has_elapsed, has_status;
};

static struct recording recording_of(const struct evidence *e, u32 first)
{
	struct recording r = { .first = &e->files[first] };
	const struct out *meta = r.first->meta;
	u64 written_ns, start_ns;

	for (u32 i = first; i < e->n; i++)
		if (e->files[i].state.row == r.first->state.row && e->files[i].sums)
			r.sums = e->files[i].sums;
	r.has_elapsed = out_get_u64(r.sums, "elapsed_ns", &r.elapsed_ns);
	r.has_status = out_get_u64(r.sums, "exit_status", &r.status);
	r.has_start = out_get_u64(meta, "written_from_realtime_ns", &r.start_realtime_ns);
	if (out_get_u64(r.sums, "start_ns", &start_ns) &&
	    out_get_u64(meta, "written_from_ns", &written_ns))
		r.start_realtime_ns += start_ns - written_ns;
	return r;
}

static bool is_first(const struct evidence *e, u32 i)
{
	for (u32 before = 0; before < i; before++)
		if (e->files[before].state.row == e->files[i].state.row)
			return false;
	return true;
}

/* ---- the sentence that describes a recording ---- */

static void add_word(void *f, const char *key, const struct out *value)
{
	if (out_text(value))
		fprintf(f, "%s%s", ftell(f) ? " " : "", out_text(value));
}

/* Returns the words of a list with blanks between them. The caller frees the text. */
static char *words_of(const struct out *list)
{
	char *text = NULL;
	size_t size;
	FILE *f = need(open_memstream(&text, &size));

	out_each(list, add_word, f);
	fclose(f);
	return need(text);
}

static void put_recorded(FILE *f, const struct recording *r)
{
	const char *host = out_get_str(r->first->meta, "host");
	const char *kernel = out_get_str(r->first->meta, "kernel");
	time_t start = r->start_realtime_ns / 1000000000;
	char text[64], elapsed[NUM_TEXT];
	struct tm local;

	fputs("recorded", f);
	if (r->has_start && localtime_r(&start, &local) &&
	    strftime(text, sizeof(text), "%F %T %z", &local))
		fprintf(f, " at %s", text);
	if (r->has_elapsed)
		fprintf(f, " for %s", num_time_text(elapsed, r->elapsed_ns));
	if (host)
		fprintf(f, " on %s", host);
	if (kernel)
		fprintf(f, ", Linux %s", kernel);
}

static void put_import(FILE *f, const struct out *meta)
{
	char *inputs = words_of(out_get(meta, "inputs"));

	fprintf(f, "imported from %s (%s)", inputs, out_get_str(meta, "source") ?: "unknown");
	free(inputs);
}

static char *sentence(const struct evidence *e, const struct recording *r)
{
	const struct out *meta = r->first->meta;
	char *text = NULL, *command = words_of(out_get(meta, "argv"));
	size_t size;
	FILE *f = need(open_memstream(&text, &size));

	if (e->n > 1)
		fprintf(f, "%s: ", r->first->path);
	if (out_get(meta, "inputs")) {
		put_import(f, meta);
	} else {
		put_recorded(f, r);
		if (*command && r->has_status)
			fprintf(f, ", exit status %llu", (unsigned long long)r->status);
		else if (*command)
			fputs(", exit status unknown", f);
		fprintf(f, ": %s", *command ? command : "the whole machine");
	}
	fclose(f);
	free(command);
	return need(text);
}

/* ---- the recordings as JSON ---- */

static void append_word(void *list, const char *key, const struct out *value)
{
	if (out_text(value))
		out_append_str(list, out_text(value));
}

static struct out *recording_json(const struct evidence *e, const struct recording *r)
{
	const struct out *meta = r->first->meta, *argv = out_get(meta, "argv");
	bool is_command = argv && !out_is_null(argv);
	struct out *o = out_object(), *words = is_command ? out_array() : NULL;
	char *title = sentence(e, r);

	out_each(argv, append_word, words);
	out_str(o, "title", title);
	out_str(o, "path", r->first->path);
	out_put(o, "argv", words);
	out_u64_or_null(o, "exit_status", r->has_status, r->status);
	out_u64_or_null(o, "start_realtime_ns", r->has_start, r->start_realtime_ns);
	out_u64_or_null(o, "elapsed_ns", r->has_elapsed, r->elapsed_ns);
	out_str(o, "host", out_get_str(meta, "host"));
	out_str(o, "kernel", out_get_str(meta, "kernel"));
	free(title);
	return o;
}

void recordings_json(struct out *doc, const struct evidence *e)
{
	struct out *list = out_list(doc, "recordings");

	for (u32 i = 0; i < e->n; i++) {
		struct recording r = recording_of(e, i);

		if (is_first(e, i))
			out_append(list, recording_json(e, &r));
	}
}
