// SPDX-License-Identifier: GPL-2.0-or-later
/* Each trace file has numbers for its names. Translates these numbers to numbers that are valid for
 * all files. Applies the user's filter to each stream: the accesses with the same layer, operation,
 * source (kind of call), disk, cgroup, process and file. */
#include <stdlib.h>
#include <sys/stat.h>

#include "user/base/err.h"
#include "user/base/words.h"
#include "tools/input/access.h"
#include "tools/input/input.h"
#include "user/trace/trace-read.h"
#include "user/trace/unmatched.h"
#include "user/trace/file.h"

#define GROUP_DEPTH 128 /* maximum depth of a cgroup; see limit_depth() */
#define DISKS 4096	/* maximum number of disks; further disks are named "(unknown)" */

static u32 common_number(const struct input_trace *t, u32 kind, u32 number)
{
	return number < t->numbers_n[kind] ? t->numbers[kind][number] : 0;
}

/* Returns the cgroup to use as the parent of a new cgroup: @number or, if @number is nested too
 * deeply, its parent. Without this limit, cgroups in a hostile file could be nested without end. */
static u32 limit_depth(const struct names *all, u32 number)
{
	u32 depth = 0;

	for (u32 up = number; up; up = all->of[TRACE_GROUP][up]->parent)
		depth++;
	return depth < GROUP_DEPTH ? number : all->of[TRACE_GROUP][number]->parent;
}

static u32 add_name(struct input *in, const struct input_trace *t, const struct trace_name *n)
{
	struct trace_name name = *n;

	if (n->kind == TRACE_DISK && in->names.n[TRACE_DISK] >= DISKS)
		return 0;
	name.parent = 0;
	if (n->kind == TRACE_GROUP)
		name.parent = limit_depth(&in->names, common_number(t, TRACE_GROUP, n->parent));
	return names_number(&in->names, &name, t->host);
}

static void add_names(struct input *in, struct input_trace *t)
{
	for (u32 kind = 0; kind < TRACE_KINDS; kind++) {
		u32 n = trace_names(t->reader, kind) + 1, *to = t->numbers[kind];

		if (n <= t->numbers_n[kind])
			continue;
		t->numbers[kind] = to = need(reallocarray(to, n, sizeof(*to)));
		for (u32 i = t->numbers_n[kind]; i < n; i++) {
			const struct trace_name *name = trace_name_of(t->reader, kind, i);

			to[i] = 0;
			t->numbers_n[kind] = i + 1;
			if (name)
				to[i] = add_name(in, t, name);
		}
	}
}

static void streams_reserve(struct input_streams *streams, u32 n)
{
	if (n <= streams->room)
		return;
	streams->room = n + n / 2;
	streams->list = need(reallocarray(streams->list, streams->room, sizeof(*streams->list)));
	for (int i = 0; i < INPUT_SLOTS; i++)
		streams->slots[i] = need(
			reallocarray(streams->slots[i], streams->room, sizeof(*streams->slots[i])));
}

static void add_stream(struct input *in, struct input_trace *t, u32 i,
		       const struct trace_stream *is)
{
	struct input_streams *streams = &t->streams;
	struct trace_stream *to = &streams->list[i];
	void *slots[INPUT_SLOTS] = {};

	*to = is ? *is : (struct trace_stream){ .layer = LAYERS };
	to->disk = common_number(t, TRACE_DISK, to->disk);
	to->group = common_number(t, TRACE_GROUP, to->group);
	to->process = common_number(t, TRACE_PROCESS, to->process);
	to->file = common_number(t, TRACE_FILE, to->file);
	if (to->layer < LAYERS && to->op < OP_MAX &&
	    trace_filter_passes(&in->filter, to, names_name, &in->names)) {
		if (in->stream)
			in->stream(in->stream_arg, to, input_is_stacked(in, to), slots);
		else if (access_is_countable(to))
			slots[0] = in;
	}
	for (int slot = 0; slot < INPUT_SLOTS; slot++)
		streams->slots[slot][i] = slots[slot];
	if (slots[0])
		in->seen |= 1U << to->layer;
	else if (is)
		streams->all = false;
}

static void add_streams(struct input *in, struct input_trace *t)
{
	u32 n = trace_streams(t->reader) + 1;

	streams_reserve(&t->streams, n);
	for (u32 i = t->streams.n; i < n; i++)
		add_stream(in, t, i, trace_stream_of(t->reader, i));
	t->streams.n = n;
}

void input_add_names(struct input *in, struct input_trace *t)
{
	add_names(in, t);
	add_streams(in, t);
}

/* Checks that @pattern matches a name of @kind in the traces. If it matches no name, returns a
 * message that lists the names of @kind. The caller frees the message. Otherwise returns NULL. */
static char *unmatched_pattern(const struct input *in, u32 kind, const char *pattern)
{
	struct present present = {};

	for (u32 i = 1; i < in->names.n[kind]; i++) {
		if (trace_name_matches(in->names.of[kind][i], pattern)) {
			present_free(&present);
			return NULL;
		}
		present_add(&present, in->names.of[kind][i]->text);
	}
	return unmatched_text(&present, trace_kind_names[kind], pattern);
}

/* Prints a warning for each pattern of the filter for @kind that matches no name. But if no access
 * passes the whole filter, prints an error instead, and returns -ENODATA. Otherwise returns 0. */
static int check_kind(const struct input *in, u32 kind)
{
	const char *list = in->filter.text[kind];
	char *pattern, *text;
	int ret = 0;

	while (!ret && (pattern = words_item(&list))) {
		text = unmatched_pattern(in, kind, pattern);
		if (text && in->seen)
			warn("%s", text);
		else if (text)
			ret = error(-ENODATA, "%s", text);
		free(text);
		free(pattern);
	}
	return ret;
}

int input_check_matches(const struct input *in)
{
	bool some = false;

	for (u32 kind = 0; kind < TRACE_KINDS; kind++) {
		if (!in->filter.text[kind])
			continue;
		if (check_kind(in, kind))
			return -ENODATA;
		some = true;
	}
	return some && !in->seen ? error(-ENODATA, "no access matches all filters") : 0;
}

static bool is_one_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Returns true if a trace in @others already has the file @path. For example, the pattern trace*
 * matches trace and trace.1, but reading trace also reads trace.1. */
static bool is_listed(const char *path, const struct input_trace *others, u32 n)
{
	for (u32 i = 0; i < n; i++)
		for (u32 k = 0; k < others[i].files_n; k++)
			if (is_one_file(others[i].files[k], path))
				return true;
	return false;
}

static void add_file(struct input_trace *t, char *path)
{
	t->files = need(reallocarray(t->files, t->files_n + 1, sizeof(*t->files)));
	t->files[t->files_n++] = path;
}

void input_trace_find(struct input_trace *t, const char *path, const struct input_trace *others,
		      u32 n)
{
	size_t numbers_n;
	u32 *numbers = trace_file_numbers(path, &numbers_n);
	struct stat st;
	bool exists = !stat(path, &st);

	if (exists && is_listed(path, others, n)) {
		free(numbers);
		return;
	}
	if (exists || !numbers_n)
		add_file(t, trace_file_path(path, 0));
	for (size_t i = 0; i < numbers_n; i++)
		add_file(t, trace_file_path(path, numbers[i]));
	free(numbers);
}

int input_spared_one(const struct output *o, const char *path)
{
	struct input_trace t = {};
	int ret = 0;

	if (!o->path || !path)
		return 0;
	input_trace_find(&t, path, NULL, 0);
	for (u32 k = 0; k < t.files_n && !ret; k++)
		ret = output_spares(o, t.files[k]);
	for (u32 k = 0; k < t.files_n; k++)
		free(t.files[k]);
	free(t.files);
	return ret;
}

int input_spared(const struct output *o, char *const *paths, u32 n)
{
	int ret = 0;

	for (u32 i = 0; i < n && !ret; i++)
		ret = input_spared_one(o, paths[i]);
	return ret;
}
