// SPDX-License-Identifier: GPL-2.0-or-later
/* Exports traces in Chrome's Trace Event Format, which Perfetto opens. In this format, the events
 * of one thread must not overlap. So iospan distributes the accesses of each layer of a process
 * over lanes without overlaps, and the viewer shows a lane as a thread. Times are in us since the
 * first access, because viewers store times as doubles, which round large numbers. */
#include "tools/export/export.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/num.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/out-print.h"
#include "user/metric/measurement.h"
#include "user/trace/trace-read.h"

/* maximum number of lanes for one layer of a process; accesses that find no free lane share the
 * last lane */
#define LANES 1024

struct lane {
	u64 end_ns;
	u32 tid;
};

struct lanes {
	struct lane *all;
	u32 n;
};

struct chrome {
	bool any; /* true if an event was written already, so that a comma must follow */
	u32 tids;
	/* number of pids that earlier traces of this export use; added to each pid, so that two
	 * traces never use the same pid */
	u32 pids;
	/* the lanes of each process and layer, indexed by LAYERS * process + layer */
	struct lanes *lanes;
	u32 lanes_n;
	/* number of accesses that found no free lane and overlap others in the last lane */
	u64 squeezed;
};

static void chrome_begin(struct export *e)
{
	fprintf(e->f,
		"{\"displayTimeUnit\":\"ns\",\"otherData\":{\"version\":\"iospan " VERSION
		"\",\"first_ns\":\"%llu\"},\"traceEvents\":[\n",
		(unsigned long long)e->first_ns);
}

static void start_event(struct export *e)
{
	struct chrome *c = e->own;

	fputs(c->any ? ",\n" : "", e->f);
	c->any = true;
}

static void name_event(struct export *e, const char *what, u32 pid, u32 tid, const char *name)
{
	struct out *args = out_object();
	char *text;

	out_str(args, "name", name);
	text = out_canonical(args, NULL);
	out_free(args);
	start_event(e);
	fprintf(e->f, "{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%u,\"tid\":%u,\"args\":%s}", what, pid,
		tid, text);
	free(text);
}

static void sort_event(struct export *e, u32 pid, u32 tid, u32 index)
{
	start_event(e);
	fprintf(e->f,
		"{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":%u,\"tid\":%u,"
		"\"args\":{\"sort_index\":%u}}",
		pid, tid, index);
}

static void name_process(struct export *e, u32 pid, u32 process)
{
	const struct trace_name *n = process ? trace_name_of(e->reader, TRACE_PROCESS, process) :
					       NULL;
	char id[32] = "", *text;

	if (n && n->id)
		snprintf(id, sizeof(id), "[%llu]", (unsigned long long)n->id);
	text = need_text("%s%s%s%s", e->traces > 1 ? e->path : "", e->traces > 1 ? ": " : "",
			 n ? n->text : "process unknown", id);
	name_event(e, "process_name", pid, 0, text);
	free(text);
}

/* Returns the pid under which the viewer shows a process of the trace. The result is never 0,
 * because Perfetto takes pid 0 for the kernel's idle process. */
static u32 pid_of(const struct chrome *c, u32 process)
{
	return c->pids + process + 1;
}

static struct lanes *lanes_of(struct export *e, const struct trace_stream *s)
{
	struct chrome *c = e->own;
	u32 first = s->process * LAYERS;
	bool named = false;

	c->lanes = need_index(c->lanes, &c->lanes_n, first + LAYERS - 1, sizeof(*c->lanes));
	for (int i = 0; i < LAYERS; i++)
		named |= c->lanes[first + i].n;
	if (!named)
		name_process(e, pid_of(c, s->process), s->process);
	return &c->lanes[first + s->layer];
}

/* Returns a lane that is free at the start of @a, or NULL. Of several free lanes, takes the lane
 * that became free last. Accesses come in the order of their ends, so this choice needs the fewest
 * lanes. */
static struct lane *free_lane(struct lanes *l, const struct trace_access *a)
{
	struct lane *best = NULL;

	for (u32 i = 0; i < l->n; i++)
		if (l->all[i].end_ns <= a->start_ns && (!best || l->all[i].end_ns > best->end_ns))
			best = &l->all[i];
	return best;
}

static u32 tid_of(struct export *e, const struct trace_stream *s, const struct trace_access *a)
{
	struct chrome *c = e->own;
	struct lanes *l = lanes_of(e, s);
	struct lane *lane = free_lane(l, a);
	u32 pid = pid_of(c, s->process);

	if (!lane && l->n == LANES) {
		lane = &l->all[LANES - 1];
		c->squeezed++;
	}
	if (!lane) {
		if (!(l->n & (l->n - 1)))
			l->all = need(reallocarray(l->all, l->n ? 2 * l->n : 1, sizeof(*l->all)));
		lane = &l->all[l->n];
		*lane = (struct lane){ 0, ++c->tids };
		name_event(e, "thread_name", pid, lane->tid, layer_names[s->layer]);
		sort_event(e, pid, lane->tid, s->layer * LANES + l->n++);
	}
	if (lane->end_ns < a->end_ns)
		lane->end_ns = a->end_ns;
	return lane->tid;
}

/* Returns the JSON text that all events of a stream have in common, such as
 * "name":"read","cat":"device","args":{"device":"vda",... The text ends within "args", to which
 * print_args() adds more. */
static char *chrome_stream(struct export *e, const struct access *x)
{
	static const char *const shown[] = { "source", "device", "cgroup", "file" };
	struct out *args = out_object();
	char *names, *text;

	for (const struct column *c = columns; c->name; c++)
		for (unsigned i = 0; i < sizeof(shown) / sizeof(*shown); i++)
			if (!strcmp(c->name, shown[i]))
				column_out(args, c, x);
	names = out_canonical(args, NULL);
	out_free(args);
	names[strlen(names) - 1] = '\0';
	text = need_text("\"name\":\"%s\",\"cat\":\"%s\",\"args\":%s",
			 x->op < OP_MAX ? op_names[x->op] : "other", layer_names[x->layer], names);
	free(names);
	return text;
}

static void print_us(FILE *f, const char *key, u64 ns)
{
	fprintf(f, ",\"%s\":%llu.%03u", key, (unsigned long long)ns / 1000, (unsigned)(ns % 1000));
}

static void print_args(FILE *f, const struct trace_access *a)
{
	fprintf(f, ",\"bytes\":%llu", (unsigned long long)a->bytes);
	if (a->offset != TRACE_NO_OFFSET)
		fprintf(f, ",\"offset_bytes\":%llu", (unsigned long long)a->offset);
	if (a->queued_ns)
		fprintf(f, ",\"queued_ns\":%llu", (unsigned long long)a->queued_ns);
	if (a->flags & TRACE_FAILED)
		fputs(",\"error\":true", f);
	if (a->flags & TRACE_PART)
		fputs(",\"part\":true", f);
	if (a->flags & TRACE_UNTIMED)
		fputs(",\"untimed\":true", f);
}

/* Writes access @a as one event. An access with the flag TRACE_UNSPANNED has no interval; its event
 * is a point in time at its end. */
static void chrome_access(struct export *e, const struct export_stream *s,
			  const struct trace_access *a)
{
	bool point = a->flags & TRACE_UNSPANNED;
	struct trace_access at = *a;
	u32 tid;

	/* a hostile trace may have accesses that end before they start */
	if (point || at.start_ns > at.end_ns)
		at.start_ns = at.end_ns;
	tid = tid_of(e, &s->is, &at);
	start_event(e);
	fprintf(e->f, "{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u", point ? "i\",\"s\":\"t" : "X",
		pid_of(e->own, s->is.process), tid);
	print_us(e->f, "ts", at.start_ns > e->first_ns ? at.start_ns - e->first_ns : 0);
	if (!point)
		print_us(e->f, "dur", at.end_ns - at.start_ns);
	fprintf(e->f, ",%s", s->text);
	print_args(e->f, a);
	fputs("}}", e->f);
}

static void chrome_trace_end(struct export *e)
{
	struct chrome *c = e->own;

	for (u32 i = 0; i < c->lanes_n; i++)
		free(c->lanes[i].all);
	free(c->lanes);
	c->lanes = NULL;
	c->lanes_n = 0;
	c->pids += trace_names(e->reader, TRACE_PROCESS) + 1;
}

static void chrome_end(struct export *e)
{
	const struct chrome *c = e->own;

	fputs("\n]}\n", e->f);
	if (c->squeezed)
		warn("more than %d accesses of a layer and process overlap: a viewer may not show "
		     "%llu access%s",
		     LANES, (unsigned long long)c->squeezed, num_word(c->squeezed, "", "es"));
}

const struct exporter export_chrome = {
	.name = "chrome",
	.own_size = sizeof(struct chrome),
	.begin = chrome_begin,
	.stream = chrome_stream,
	.access = chrome_access,
	.trace_end = chrome_trace_end,
	.end = chrome_end,
};
