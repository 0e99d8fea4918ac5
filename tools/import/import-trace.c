// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes the accesses of all imported files to one trace, with the names of their disks, cgroups,
 * processes and files. */
#include "tools/import/import.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/metric/measurement.h"
#include "user/trace/write.h"

void import_note(struct import *im, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = need_vtext(fmt, args);
	va_end(args);
	for (unsigned i = 0; i < im->notes_n; i++)
		if (!strcmp(im->notes[i], text)) {
			free(text);
			return;
		}
	if (im->notes_n < sizeof(im->notes) / sizeof(*im->notes))
		im->notes[im->notes_n++] = text;
	else
		free(text);
}

void import_lost(struct import *im, const char *name, u64 n)
{
	char *text = loss_text(name, n);

	out_u64(im->losses, name, n);
	if (n)
		warn_loss("%s", text);
	free(text);
}

static struct out *notes_of(const struct import *im)
{
	struct out *list = out_array();

	for (unsigned i = 0; i < im->notes_n; i++)
		out_append_str(list, im->notes[i]);
	return list;
}

static struct out *describe_import(const struct import *im)
{
	struct out *doc = out_object();

	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "import");
	out_str(doc, "source", im->from->name);
	out_u64(doc, "resolution_ns", im->resolution_ns);
	out_put(doc, "notes", notes_of(im));
	return doc;
}

static int create_trace(struct import *im)
{
	const struct trace_write_options whole = { .place = &im->place };
	struct out *meta = describe_import(im), *names = out_array();
	int ret;

	for (unsigned i = 0; i < im->inputs_n; i++)
		out_append_str(names, im->inputs[i].name);
	out_put(meta, "inputs", names);
	if (im->from->layer) {
		struct out *layers = out_array();

		out_append_str(layers, im->o->layer ?: im->from->layer);
		out_put(meta, "recorded_layers", layers);
	}
	ret = trace_create(&im->w, im->o->output, meta, &whole);
	im->created = !ret;
	if (!ret)
		im->id = *trace_id(im->w);
	out_free(meta);
	return ret;
}

static u32 name_group(struct import *im, u32 parent, const char *path)
{
	const struct trace_name n = { .kind = TRACE_GROUP, .parent = parent, .text = path };

	return trace_name(im->w, &n);
}

/* Adds the cgroup @path and all its parents to the names of the trace. Returns the number of the
 * cgroup's name. */
static u32 name_groups(struct import *im, const char *path)
{
	char *copy;
	u32 n = 0;

	if (im->group && !strcmp(im->group, path))
		return im->group_number;
	copy = need(strdup(path));
	if (*path == '/' && path[1])
		n = name_group(im, 0, "/");
	for (char *p = copy; (p = strchr(p + 1, '/')); *p = '/') {
		*p = '\0';
		n = name_group(im, n, copy);
	}
	free(im->group);
	im->group = copy;
	im->group_number = name_group(im, n, path);
	return im->group_number;
}

static u32 name_optional(struct import *im, const struct trace_name *given, u32 kind)
{
	struct trace_name n = *given;

	if (!n.text && !n.id)
		return 0;
	n.kind = kind;
	n.text = n.text ?: "";
	return trace_name(im->w, &n);
}

/* Maximum number of accesses that are held in memory (64 bytes each) to sort them by their ends. If
 * it is reached, the held access with the earliest end is written. An access that comes later, but
 * has an earlier end, is then out of order. */
#define HELD_MOST (1 << 17)

/* An access, and its number in the order of the input. Accesses with equal ends stay in this
 * order. */
struct held_access {
	struct trace_access a;
	u64 number;
};

static bool ends_before(const void *first, const void *second)
{
	const struct held_access *a = first, *b = second;

	if (a->a.end_ns != b->a.end_ns)
		return a->a.end_ns < b->a.end_ns;
	return a->number < b->number;
}

static const struct heap_kind by_end = { sizeof(struct held_access), ends_before };

static int write_access(struct import *im, const struct trace_access *a)
{
	im->accesses++;
	return im->w ? trace_add(im->w, a) : 0;
}

/* Writes the held access with the earliest end, and removes it from memory. */
static int write_held(struct import *im)
{
	struct held_access first;

	heap_pop(&im->order, &by_end, &first);
	return write_access(im, &first.a);
}

int import_add(struct import *im, const struct access *x)
{
	struct trace_access a = x->at;
	struct held_access held;
	struct trace_stream s = { .layer = x->layer, .op = x->op, .source = x->source };
	int ret;

	/* a trace reserves the time ~0 for its own use, so no access may end at that time */
	if (a.end_ns == ~0ULL)
		return import_bad(im, "it ends beyond 2^64 - 2 ns");
	ret = im->w || im->watch ? 0 : create_trace(im);
	if (ret)
		return ret;
	if (im->watch) {
		im->watch(x);
	} else {
		s.disk = name_optional(im, &x->disk, TRACE_DISK);
		s.group = x->group.text ? name_groups(im, x->group.text) : 0;
		s.process = name_optional(im, &x->process, TRACE_PROCESS);
		s.file = name_optional(im, &x->file, TRACE_FILE);
		a.stream = trace_stream(im->w, &s);
	}
	if (im->from->sorted)
		return write_access(im, &a);
	if (im->order.n == HELD_MOST)
		ret = write_held(im);
	held = (struct held_access){ a, im->added++ };
	heap_push(&im->order, &by_end, &held);
	return ret;
}

/* Refuses an input that has lines but no valid line, because it must have another format. Accepts
 * an empty input if another input has valid lines. */
static int check_inputs(const struct import *im)
{
	const struct import_file *in = im->inputs;
	bool any = false;

	for (; in < im->inputs + im->inputs_n; in++) {
		any |= in->taken;
		if (!in->taken && (in->bad || in->comments))
			return error(-EINVAL,
				     "'%s' is not of the format '%s': no line of it could "
				     "be read",
				     in->name, im->from->name);
		if (!in->taken && im->inputs_n > 1)
			warn("'%s' is empty", in->name);
	}
	if (!any)
		return error(-ENODATA,
			     im->inputs_n > 1 ? "no input has a line, as '%s'" : "'%s' is empty",
			     im->inputs->name);
	return 0;
}

static int finish_trace(struct import *im)
{
	int ret = im->watch ? 0 : check_inputs(im);
	struct out *sums;

	if (!ret && !im->w && !im->watch)
		ret = create_trace(im);
	while (!ret && im->order.n)
		ret = write_held(im);
	if (!ret && !im->watch && !im->accesses && im->bad)
		ret = error(-EINVAL, "no access in '%s', and %llu lines could not be read",
			    im->inputs->name, (unsigned long long)im->bad);
	if (ret || im->watch)
		return ret;
	if (!im->accesses)
		warn("no access in '%s'%s", im->inputs[0].name,
		     im->inputs_n > 1 ? " nor in the others" : "");
	import_lost(im, "bad_lines", im->bad);
	sums = describe_import(im);
	out_put(sums, "losses", im->losses);
	im->losses = NULL;
	ret = trace_finish(im->w, sums);
	im->w = NULL;
	out_free(sums);
	return ret;
}

int import_trace_end(struct import *im, int failed)
{
	int ret = failed ?: finish_trace(im);

	trace_finish(im->w, NULL);
	im->w = NULL;
	/* Removes an incomplete trace, because it would look like a recording that was cut off. */
	if (ret && im->created)
		trace_file_remove(&im->place, 0, &im->id);
	return ret;
}

void import_trace_release(struct import *im)
{
	for (unsigned i = 0; i < im->notes_n; i++)
		free(im->notes[i]);
	free(im->order.at);
	out_free(im->losses);
	free(im->group);
}
