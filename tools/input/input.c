// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads several traces as one. A batch is accesses of one file that are read at once. The bound of
 * a trace is a time: all accesses that input_next() has not returned yet start at this time or
 * later. The clock shift (--offsets) is added to all times of a trace, so that traces of several
 * hosts use one clock. */
#include "tools/input/input.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/out-read.h"
#include "user/trace/trace-read.h"

/* Returns @ns + @shift_ns; a result outside of the range of u64 becomes 0 or the largest u64. */
static u64 shifted(u64 ns, s64 shift_ns)
{
	if (shift_ns < 0)
		return ns < -(u64)shift_ns ? 0 : ns + shift_ns;
	return ns > ~0ULL - shift_ns ? ~0ULL : ns + shift_ns;
}

static void close_reader(struct input_trace *t)
{
	trace_close(t->reader);
	t->reader = NULL;
	t->next = NULL;
	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		t->numbers_n[kind] = 0;
	t->streams.n = 0;
	t->streams.all = true;
}

/* Reads the next batch of trace @t into t->next. At the end of a file, continues with the next file
 * of the trace. Sets t->next to NULL at the end of the trace. */
static int read_batch(struct input *in, struct input_trace *t)
{
	unsigned columns = TRACE_QUEUED | TRACE_HELD | (in->clipped.offset ? TRACE_OFFSET : 0);
	int ret = 0;

	t->used = false;
	while (t->at < t->files_n) {
		if (!t->reader)
			ret = trace_open(&t->reader, t->files[t->at], columns);
		if (ret >= 0)
			ret = trace_next(t->reader, &t->next);
		if (ret < 0)
			return ret;
		if (ret > 0)
			break;
		if (in->done)
			in->done(in->arg, t->files[t->at], t->reader);
		close_reader(t);
		t->at++;
	}
	if (t->reader)
		input_add_names(in, t);
	return 0;
}

static u64 batch_bound(const struct trace_batch *b)
{
	return b->first_ns < b->before_ns ? b->first_ns : b->before_ns;
}

/* Returns the bound of @t: all accesses of @t that input_next() has not returned yet start at this
 * time or later. The clock shift is already added. */
static u64 trace_bound(const struct input_trace *t)
{
	u64 later, ns;

	if (!t->next)
		return ~0ULL;
	later = t->later_ns[t->at];
	ns = batch_bound(t->next);
	return shifted(ns < later ? ns : later, t->shift_ns);
}

/* Lowers in->begin_ns, the start of the observation, to the first access of the file, and to the
 * start of the recording that the file states. Does not raise it. */
static void update_begin(struct input *in, const struct input_trace *t, u64 first_ns,
			 const struct trace_reader *r)
{
	u64 ns;

	if (first_ns != ~0ULL && shifted(first_ns, t->shift_ns) < in->begin_ns)
		in->begin_ns = shifted(first_ns, t->shift_ns);
	if (!out_get_u64(trace_sums(r), "start_ns", &ns) &&
	    !out_get_u64(trace_meta(r), "start_ns", &ns))
		return;
	if (shifted(ns, t->shift_ns) < in->begin_ns)
		in->begin_ns = shifted(ns, t->shift_ns);
}

/* Refuses a clock shift that would move the first access before time 0. */
static int check_shift(const struct input_trace *t, u64 first_ns)
{
	if (t->shift_ns >= 0 || first_ns == ~0ULL || first_ns >= -(u64)t->shift_ns)
		return 0;
	return error(-EINVAL,
		     "'%s': its offset moves accesses before time 0; give the other files a later "
		     "time instead",
		     t->files[0]);
}

/* Reads the start of each file of the trace, and the host in the first file. trace_state()->row is
 * a random number that all files of one recording share. If a file has another number, this file
 * and all files after it are left out. */
static int scan_files(struct input *in, struct input_trace *t)
{
	u64 row = 0;
	u64 *first = t->later_ns = need(calloc(t->files_n + 1, sizeof(*first)));

	for (u32 i = 0; i < t->files_n; i++) {
		const struct trace_batch *b;
		struct trace_reader *r;
		int ret = trace_open(&r, t->files[i], 0);

		if (ret < 0)
			return ret;
		if (i == 0) {
			const char *host = out_get_str(trace_meta(r), "host");

			row = trace_state(r)->row;
			t->host = host ? need(strdup(host)) : NULL;
		}
		if (trace_state(r)->row != row) {
			while (t->files_n > i)
				free(t->files[--t->files_n]);
			trace_close(r);
			break;
		}
		ret = trace_next(r, &b);
		first[i] = ret > 0 ? batch_bound(b) : ~0ULL;
		update_begin(in, t, first[i], r);
		trace_close(r);
		if (ret >= 0)
			ret = check_shift(t, first[i]);
		if (ret < 0)
			return ret;
	}
	/* Here, first[i] is the earliest start in file i. The loops replace it by the earliest
	 * start in all files after file i (t->later_ns). */
	first[t->files_n] = ~0ULL;
	for (u32 i = 0; i < t->files_n; i++)
		first[i] = first[i + 1];
	for (u32 i = t->files_n; i-- > 0;)
		if (first[i + 1] < first[i])
			first[i] = first[i + 1];
	return 0;
}

/* Returns true if an access that ends at @end_ns is counted: the time range contains its last
 * nanosecond. */
static bool is_counted(const struct input *in, u64 end_ns)
{
	return (end_ns > in->from_ns || !in->from_ns) && end_ns <= in->to_ns;
}

/* Cuts access @i of the batch to the time range (--from, --to), and appends it to in->clipped.
 * Leaves out an access outside of the range. @start_ns and @end_ns already include the clock
 * shift. */
static void clip_access(struct input *in, const struct trace_batch *b, u32 i, u64 start_ns,
			u64 end_ns)
{
	struct trace_batch *to = &in->clipped;
	u64 from = start_ns > in->from_ns ? start_ns : in->from_ns;
	u64 end = end_ns < in->to_ns ? end_ns : in->to_ns;
	bool counted = is_counted(in, end_ns);
	u32 n = to->n;

	if (!counted && (from >= end || b->flags[i] & TRACE_UNSPANNED))
		return;
	to->start_ns[n] = from;
	to->end_ns[n] = end > from ? end : from;
	to->bytes[n] = b->bytes[i];
	to->queued_ns[n] = b->queued_ns ? b->queued_ns[i] : 0;
	/* If the time range cuts off the start of the access, the latency is no longer the end
	 * minus the start. So held_ns gets the whole latency of the access. */
	to->held_ns[n] = b->held_ns ? b->held_ns[i] : 0;
	if (from != start_ns && !to->held_ns[n] && end_ns > start_ns)
		to->held_ns[n] = end_ns - start_ns;
	if (to->offset)
		to->offset[n] = b->offset[i];
	to->stream[n] = b->stream[i];
	to->flags[n] = counted ? b->flags[i] : b->flags[i] | TRACE_PART;
	to->n++;
}

/* Returns the batch of @t. If the filter, time range or clock shift applies, returns a changed
 * copy, in->clipped. */
static const struct trace_batch *clip_batch(struct input *in, const struct input_trace *t)
{
	const struct trace_batch *b = t->next;
	bool whole = !in->from_ns && in->to_ns == ~0ULL;

	if (t->streams.all && !t->shift_ns && whole) {
		if (b->last_ns > in->last_ns)
			in->last_ns = b->last_ns;
		return b;
	}
	in->clipped.n = 0;
	for (u32 i = 0; i < b->n; i++) {
		u64 start = shifted(b->start_ns[i], t->shift_ns);
		u64 end = shifted(b->end_ns[i], t->shift_ns);

		if (end > in->last_ns)
			in->last_ns = end;
		if (t->streams.slots[0][b->stream[i]])
			clip_access(in, b, i, start, end);
	}
	return &in->clipped;
}

/* If all traces are from one host, forgets the host, so that names do not start with "HOST:". */
static void drop_common_host(struct input *in)
{
	for (u32 i = 1; i < in->n; i++)
		if (strcmp(in->traces[i].host ?: "", in->traces[0].host ?: ""))
			return;
	for (u32 i = 0; i < in->n; i++) {
		free(in->traces[i].host);
		in->traces[i].host = NULL;
	}
}

int input_open(struct input *in, char *const *paths, u32 n, const s64 *shifts, unsigned columns,
	       u64 from_ns, u64 to_ns)
{
	int ret = 0;

	names_init(&in->names);
	trace_batch_alloc(&in->clipped, TRACE_CHUNK, columns | TRACE_QUEUED | TRACE_HELD);
	in->traces = need(calloc(n + 1, sizeof(*in->traces)));
	in->begin_ns = ~0ULL;
	for (u32 i = 0; i < n && !ret; i++) {
		struct input_trace *t = &in->traces[in->n];

		t->shift_ns = shifts[i];
		t->streams.all = true;
		input_trace_find(t, paths[i], in->traces, in->n);
		if (t->files_n) {
			in->n++;
			ret = scan_files(in, t);
		}
	}
	if (ret < 0)
		return ret;
	if (in->begin_ns == ~0ULL)
		in->begin_ns = 0;
	in->from_ns = from_ns ? shifted(in->begin_ns, from_ns) : 0;
	in->to_ns = to_ns ? shifted(in->begin_ns, to_ns) : ~0ULL;
	drop_common_host(in);
	for (u32 i = 0; i < in->n && ret >= 0; i++)
		ret = read_batch(in, &in->traces[i]);
	return ret;
}

/* Returns the next batch of the trace with the earliest bound. So the batches of all traces are
 * roughly in the order of time. */
int input_next(struct input *in, struct input_batch *b)
{
	struct input_trace *first = NULL;
	u64 bound = ~0ULL;

	for (u32 i = 0; i < in->n; i++) {
		struct input_trace *t = &in->traces[i];
		int ret = t->used ? read_batch(in, t) : 0;

		if (ret < 0)
			return ret;
		if (t->next && (!first || trace_bound(t) < bound)) {
			first = t;
			bound = trace_bound(t);
		}
	}
	if (!first)
		return 0;
	first->used = true;
	in->accesses += first->next->n;
	*b = (struct input_batch){ clip_batch(in, first), &first->streams, bound };
	return 1;
}

void input_done(struct input *in)
{
	for (u32 i = 0; i < in->n; i++)
		if (in->traces[i].reader)
			in->done(in->arg, in->traces[i].files[in->traces[i].at],
				 in->traces[i].reader);
	in->done = NULL;
}

int input_check_layer(unsigned layers)
{
	if (layers & (layers - 1))
		return error(-EUSAGE, "--layers takes one layer");
	return 0;
}

int input_check(u64 from_ns, u64 to_ns)
{
	if (to_ns && to_ns <= from_ns)
		return error(-EUSAGE, "--to is not later than --from");
	return 0;
}

u64 input_from_ns(const struct input *in)
{
	return in->from_ns ? in->from_ns : in->begin_ns;
}

u64 input_elapsed_ns(const struct input *in, u64 recorded_ns)
{
	u64 from = input_from_ns(in);
	u64 end = shifted(in->begin_ns, recorded_ns < INT64_MAX ? recorded_ns : 0);

	if (in->last_ns > end)
		end = in->last_ns;
	if (in->to_ns < end)
		end = in->to_ns;
	return end > from ? end - from : 0;
}

int input_rewind(struct input *in)
{
	int ret = 0;

	in->accesses = 0;
	for (u32 i = 0; i < in->n && ret >= 0; i++) {
		close_reader(&in->traces[i]);
		in->traces[i].at = 0;
		ret = read_batch(in, &in->traces[i]);
	}
	return ret;
}

static void trace_release(struct input_trace *t)
{
	close_reader(t);
	for (u32 i = 0; i < t->files_n; i++)
		free(t->files[i]);
	free(t->files);
	free(t->later_ns);
	free(t->host);
	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		free(t->numbers[kind]);
	for (int i = 0; i < INPUT_SLOTS; i++)
		free(t->streams.slots[i]);
	free(t->streams.list);
}

bool input_is_stacked(const struct input *in, const struct trace_stream *s)
{
	return s->layer == LAYER_DEVICE && in->names.of[TRACE_DISK][s->disk]->stacked;
}

void input_close(struct input *in)
{
	for (u32 i = 0; i < in->n; i++)
		trace_release(&in->traces[i]);
	free(in->traces);
	trace_batch_release(&in->clipped);
	names_drop(&in->names);
}
