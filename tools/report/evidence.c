// SPDX-License-Identifier: GPL-2.0-or-later
/* Data about the recordings. The metadata of a trace file states how it was recorded. The sums of a
 * trace file are totals that BPF programs counted; the recorder writes them when it ends. A note is
 * a sentence about the meaning of a number. A limit is a note that applies to all recordings on the
 * machine. */
#include "tools/report/evidence.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out-read.h"
#include "user/metric/loss.h"
#include "user/show/show.h"
#include "user/trace/trace-read.h"

void evidence_add(struct evidence *e, const char *path, const struct trace_reader *r)
{
	struct evidence_file *f;

	e->files = need(reallocarray(e->files, e->n + 1, sizeof(*e->files)));
	f = &e->files[e->n++];
	*f = (struct evidence_file){ .state = *trace_state(r) };
	f->path = need(strdup(path));
	f->meta = out_keep(trace_meta(r));
	f->sums = out_keep(trace_sums(r));
}

void evidence_release(struct evidence *e)
{
	for (u32 i = 0; i < e->n; i++) {
		free(e->files[i].path);
		out_free(e->files[i].meta);
		out_free(e->files[i].sums);
	}
	free(e->files);
}

u64 evidence_elapsed_ns(const struct evidence *e)
{
	u64 longest = 0, ns;

	for (u32 i = 0; i < e->n; i++)
		if (out_get_u64(e->files[i].sums, "elapsed_ns", &ns) && ns > longest)
			longest = ns;
	return longest;
}

/* Returns the value of @key in the sums of the trace file, or else in its metadata. The sums have
 * priority: the recorder writes them at its end, so they are newer than the metadata. */
static const struct out *stated(const struct evidence_file *f, const char *key)
{
	const struct out *node = out_get(f->sums, key);

	return node ? node : out_get(f->meta, key);
}

struct wanted {
	const char *text;
	bool found;
};

static void match_text(void *arg, const char *key, const struct out *value)
{
	struct wanted *w = arg;
	const char *text = out_text(value);

	w->found |= text && !strcmp(text, w->text);
}

const char *evidence_backend(const struct evidence *e, const char *layer)
{
	struct wanted w = { .text = layer };

	for (u32 i = 0; i < e->n; i++) {
		const char *backend = out_get_str(stated(&e->files[i], "backends"), layer);

		if (backend)
			return backend;
		out_each(out_get(e->files[i].meta, "recorded_layers"), match_text, &w);
	}
	return w.found ? "trace" : NULL;
}

const struct out *evidence_sums(const struct evidence *e)
{
	const struct out *sums = NULL;
	u32 n = 0;

	for (u32 i = 0; i < e->n; i++)
		if (out_get(e->files[i].sums, "layers") && !out_get(e->files[i].meta, "filter")) {
			sums = e->files[i].sums;
			n++;
		}
	return n == 1 ? sums : NULL;
}

static void add_loss(void *arg, const char *key, const struct out *value)
{
	struct out *sums = arg;
	u64 before = 0, n;

	if (!key || !out_u64_of(value, &n))
		return;
	out_get_u64(sums, key, &before);
	out_u64(sums, key, before + n);
}

static struct out *sum_losses(const struct evidence *e)
{
	struct out *sums = out_object();

	for (u32 i = 0; i < e->n; i++)
		out_each(out_get(e->files[i].sums, "losses"), add_loss, sums);
	return sums;
}

struct layer_losses {
	enum layer layer;
	u64 n;
};

static void add_layer_loss(void *arg, const char *key, const struct out *value)
{
	struct layer_losses *sum = arg;
	enum layer layer = loss_layer(key);
	u64 n;

	if (loss_removes_accesses(key) && out_u64_of(value, &n) &&
	    (layer == sum->layer || layer == LAYERS))
		sum->n += n;
}

u64 evidence_losses(const struct evidence *e, enum layer layer)
{
	struct layer_losses sum = { layer, 0 };
	struct out *losses = sum_losses(e);

	out_each(losses, add_layer_loss, &sum);
	out_free(losses);
	for (u32 i = 0; i < e->n; i++)
		sum.n += e->files[i].state.bad_chunks + e->files[i].state.unknown;
	return sum.n;
}

/* A list of notes, and the file that the next note is about. */
struct note_sink {
	const struct evidence *e;
	const struct evidence_file *file;
	struct out *list;
};

static __attribute__((format(printf, 2, 3))) void send_note(const struct note_sink *to,
							    const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = need_vtext(fmt, args);
	va_end(args);
	if (to->e->n < 2)
		out_append_str(to->list, text);
	else
		out_append_strf(to->list, "%s: %s", to->file->path, text);
	free(text);
}

static void note_recorded(void *arg, const char *key, const struct out *value)
{
	if (out_text(value))
		send_note(arg, "%s", out_text(value));
}

static void append_filter(void *arg, const char *key, const struct out *value)
{
	char **text = arg, *before = *text;

	if (!key || !out_text(value))
		return;
	*text = need_text("%s%s %s %s",
			  before ? before : "the recorder kept only:", before ? "," : "", key,
			  out_text(value));
	free(before);
}

/* Sends a note if the recorder had a filter, because neither the sums nor the losses include the
 * accesses that the filter excluded. */
static void note_filter(const struct note_sink *to)
{
	char *text = NULL;

	out_each(out_get(to->file->meta, "filter"), append_filter, &text);
	if (text)
		send_note(to, "%s", text);
	free(text);
}

/* A long trace is split into several files. Sends a note if the file right before or after to->file
 * is missing. */
static void note_files(const struct note_sink *to)
{
	const struct trace_state *s = &to->file->state, *next = NULL;
	const struct evidence_file *end = to->e->files + to->e->n;
	u32 before = 0;

	for (const struct evidence_file *f = to->e->files; f < end; f++) {
		if (f->state.row != s->row)
			continue;
		if (f->state.file < s->file && f->state.file >= before)
			before = f->state.file + 1;
		if (f->state.file == s->file + 1)
			next = &f->state;
	}
	if (s->file > before)
		send_note(to, "the trace is in several files, and before this one %u are missing",
			  s->file - before);
	if (s->followed && !next)
		send_note(to, "the trace is continued in another file, which is missing");
}

static void note_damage(const struct note_sink *to)
{
	const struct trace_state *s = &to->file->state;
	char when[NUM_TEXT];

	num_time_text(when, s->last_ns > s->first_ns ? s->last_ns - s->first_ns : 0);
	if (!s->whole)
		send_note(to,
			  "the trace ends early: %llu whole chunk%s, %llu byte%s ignored; accesses "
			  "later than %s after the first one are missing",
			  (unsigned long long)s->chunks, num_word(s->chunks, "", "s"),
			  (unsigned long long)s->ignored_bytes, num_word(s->ignored_bytes, "", "s"),
			  when);
	if (s->bad_chunks || (s->whole && s->ignored_bytes))
		send_note(to,
			  "the trace is damaged: %llu chunk%s could not be read, %llu byte%s "
			  "ignored; "
			  "their accesses are missing",
			  (unsigned long long)s->bad_chunks, num_word(s->bad_chunks, "", "s"),
			  (unsigned long long)s->ignored_bytes,
			  num_word(s->ignored_bytes, "", "s"));
	if (s->unknown)
		send_note(
			to,
			"the trace is damaged: %llu access%s left out, because names could not be "
			"read",
			(unsigned long long)s->unknown, num_word(s->unknown, "", "es"));
}

/* Adds to @notes the notes about each file. Adds to @limits the notes that are the same for each
 * recording on one machine. */
static void send_notes(const struct evidence *e, struct out *notes, struct out *limits)
{
	for (u32 i = 0; i < e->n; i++) {
		struct note_sink to = { e, &e->files[i], notes };

		note_filter(&to);
		note_damage(&to);
		note_files(&to);
		out_each(stated(to.file, "notes"), note_recorded, &to);
		to.list = limits;
		out_each(stated(to.file, "limits"), note_recorded, &to);
	}
}

static struct out *file_json(const struct evidence_file *f)
{
	struct out *o = out_object();

	out_str(o, "path", f->path);
	out_bool(o, "complete", f->state.whole);
	out_u64(o, "chunks", f->state.chunks);
	out_u64(o, "accesses", f->state.accesses);
	out_u64(o, "bad_chunks", f->state.bad_chunks);
	out_u64(o, "unnamed_accesses", f->state.unknown);
	out_u64(o, "ignored_bytes", f->state.ignored_bytes);
	out_share(o, "meta", f->meta);
	return o;
}

/* Returns true if the metadata of @f says that the recorder stored no cgroups. Importers write no
 * such statement. */
static bool lacks_groups(const struct evidence_file *f)
{
	const struct out *stated = out_get(f->meta, "has_cgroups");

	return stated && !out_is_true(f->meta, "has_cgroups");
}

bool evidence_has_groups(const struct evidence *e)
{
	for (u32 i = 0; i < e->n; i++)
		if (!lacks_groups(&e->files[i]))
			return true;
	return !e->n;
}

void evidence_note_groups(struct out *doc, const struct evidence *e)
{
	struct note_sink to = { .e = e, .list = out_list(doc, "notes") };

	for (to.file = e->files; to.file < e->files + e->n; to.file++)
		if (lacks_groups(to.file))
			send_note(&to, "the trace has no cgroups; record with --by cgroup");
}

/* The array to which append_loss_text() adds texts. */
struct loss_texts {
	struct out *list;
	u64 device_accesses; /* as the recordings state */
};

static void append_loss_text(void *arg, const char *key, const struct out *value)
{
	const struct loss_texts *to = arg;
	struct loss l = { key, 0 };
	char *text;

	if (!out_u64_of(value, &l.n) || !l.n)
		return;
	text = show_loss_text(&l, to->device_accesses);
	out_append_str(to->list, text);
	free(text);
}

void evidence_json(struct out *doc, const struct evidence *e)
{
	struct out *files = out_list(doc, "files"), *losses = sum_losses(e), *notes;
	struct loss_texts texts = { .list = out_list(doc, "loss_texts") };

	for (u32 i = 0; i < e->n; i++) {
		out_append(files, file_json(&e->files[i]));
		texts.device_accesses += loss_device_accesses(e->files[i].sums);
	}
	out_each(losses, append_loss_text, &texts);
	out_put(doc, "losses", losses);
	notes = out_list(doc, "notes");
	send_notes(e, notes, out_list(doc, "limits"));
}

const struct view evidence_views[] = {
	VIEW("loss_texts.*", .warns = true),
	VIEW("notes.*", .is_note = true, .warns = true),
	VIEW("limits.*", .is_note = true, .is_verbose = true),
	{},
};
