// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/input/input.h"
#include "tools/input/input-names.h"
#include "tools/input/files.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/trace/trace-read.h"

u64 shifted(u64 ns, s64 shift_ns)
{
	if (shift_ns < 0)
		return ns < -(u64)shift_ns ? 0 : ns + shift_ns;
	return ns > ~0ULL - shift_ns ? ~0ULL : ns + shift_ns;
}

/* ---- one origin ---- */

static void close_reader(struct origin *s)
{
	trace_close(s->reader);
	s->reader = NULL;
	s->next = NULL;
	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		s->numbers_n[kind] = 0;
	s->ways.n = 0;
	s->ways.all = true;
}

static unsigned columns_of(const struct input *in)
{
	return in->cut.offset ? TRACE_OFFSET | TRACE_QUEUED | TRACE_HELD :
				TRACE_QUEUED | TRACE_HELD;
}

/* The next batch of one origin, of whichever file; s->next is NULL at the end. */
static int advance(struct input *in, struct origin *s)
{
	int ret = 0;

	s->used = false;
	while (s->at < s->files_n) {
		if (!s->reader)
			ret = trace_open(&s->reader, s->files[s->at], columns_of(in));
		if (ret >= 0)
			ret = trace_next(s->reader, &s->next);
		if (ret < 0)
			return ret;
		if (ret > 0)
			break;
		if (in->done)
			in->done(in->arg, s->files[s->at], s->reader);
		close_reader(s);
		s->at++;
	}
	if (s->reader)
		input_name(in, s);
	return 0;
}

static u64 bound_of(const struct trace_batch *b)
{
	return b->first_ns < b->before_ns ? b->first_ns : b->before_ns;
}

/* Nothing that the origin still has begins before. */
static u64 origin_bound(const struct origin *s)
{
	u64 later, ns;

	if (!s->next)
		return ~0ULL;
	later = s->later_ns[s->at];
	ns = bound_of(s->next);
	return shifted(ns < later ? ns : later, s->shift_ns);
}

/* From file @n on they are others. */
static void drop_files(struct origin *s, u32 n)
{
	while (s->files_n > n)
		free(s->files[--s->files_n]);
}

/* The begin of the observation, so far as @r knows it. */
static void look_at_begin(struct input *in, const struct origin *s, u64 first_ns,
			  const struct trace_reader *r)
{
	u64 ns;

	if (first_ns != ~0ULL && shifted(first_ns, s->shift_ns) < in->begin_ns)
		in->begin_ns = shifted(first_ns, s->shift_ns);
	if (!out_get_u64(trace_sums(r), "begin_ns", &ns) &&
	    !out_get_u64(trace_meta(r), "begin_ns", &ns))
		return;
	if (shifted(ns, s->shift_ns) < in->begin_ns)
		in->begin_ns = shifted(ns, s->shift_ns);
}

/* Looks into each file once: when it begins, where it was made, and if it belongs to the
 * first. */
static int scan(struct input *in, struct origin *s)
{
	u64 row = 0;
	u64 *first = s->later_ns = need(calloc(s->files_n + 1, sizeof(*first)));

	for (u32 i = 0; i < s->files_n; i++) {
		const struct trace_batch *b;
		struct trace_reader *r;
		int ret = trace_open(&r, s->files[i], 0);

		if (ret < 0)
			return ret;
		if (i == 0) {
			const char *host = out_get_str(trace_meta(r), "host");

			row = trace_state(r)->row;
			s->host = host ? need(strdup(host)) : NULL;
		}
		if (trace_state(r)->row != row) {
			drop_files(s, i);
			trace_close(r);
			break;
		}
		ret = trace_next(r, &b);
		first[i] = ret > 0 ? bound_of(b) : ~0ULL;
		look_at_begin(in, s, first[i], r);
		trace_close(r);
		if (ret < 0)
			return ret;
	}
	/* from when a file begins to when those after it do */
	first[s->files_n] = ~0ULL;
	for (u32 i = 0; i < s->files_n; i++)
		first[i] = first[i + 1];
	for (u32 i = s->files_n; i-- > 0;)
		if (first[i + 1] < first[i])
			first[i] = first[i + 1];
	return 0;
}

/* ---- all of them ---- */

static void make_columns(struct input *in, unsigned columns)
{
	u64 *at = in->columns = need(malloc(7 * TRACE_CHUNK * sizeof(u64)));
	struct trace_batch *b = &in->cut;

	b->start_ns = at;
	b->end_ns = at + TRACE_CHUNK;
	b->bytes = at + 2 * TRACE_CHUNK;
	b->queued_ns = at + 3 * TRACE_CHUNK;
	b->held_ns = at + 4 * TRACE_CHUNK;
	b->offset = columns & TRACE_OFFSET ? at + 5 * TRACE_CHUNK : NULL;
	b->stream = (u32 *)(at + 6 * TRACE_CHUNK);
	b->flags = (u8 *)(b->stream + TRACE_CHUNK);
}

/* Of one machine, by what the traces say, names need no host. */
static void drop_same_hosts(struct input *in)
{
	for (u32 i = 1; i < in->n; i++)
		if (strcmp(in->origins[i].host ?: "", in->origins[0].host ?: ""))
			return;
	for (u32 i = 0; i < in->n; i++) {
		free(in->origins[i].host);
		in->origins[i].host = NULL;
	}
}

int input_open(struct input *in, char *const *paths, u32 n, const s64 *shifts, unsigned columns,
	       u64 from_ns, u64 to_ns)
{
	int ret = 0;

	names_init(&in->names);
	make_columns(in, columns);
	in->origins = need(calloc(n + 1, sizeof(*in->origins)));
	in->begin_ns = ~0ULL;
	for (u32 i = 0; i < n && !ret; i++) {
		struct origin *s = &in->origins[in->n];

		s->shift_ns = shifts[i];
		s->ways.all = true;
		ret = origin_find(s, paths[i], in->origins, in->n);
		if (!ret && s->files_n) {
			in->n++;
			ret = scan(in, s);
		}
	}
	if (ret < 0)
		return ret;
	if (in->begin_ns == ~0ULL)
		in->begin_ns = 0;
	in->from_ns = from_ns ? shifted(in->begin_ns, from_ns) : 0;
	in->to_ns = to_ns ? shifted(in->begin_ns, to_ns) : ~0ULL;
	drop_same_hosts(in);
	for (u32 i = 0; i < in->n && ret >= 0; i++)
		ret = advance(in, &in->origins[i]);
	return ret;
}

int input_next(struct input *in, struct piece *p)
{
	struct origin *first = NULL;
	u64 bound = ~0ULL;

	for (u32 i = 0; i < in->n; i++) {
		struct origin *s = &in->origins[i];
		int ret = s->used ? advance(in, s) : 0;

		if (ret < 0)
			return ret;
		if (s->next && (!first || origin_bound(s) < bound)) {
			first = s;
			bound = origin_bound(s);
		}
	}
	if (!first)
		return 0;
	first->used = true;
	in->accesses += first->next->n;
	*p = (struct piece){ input_cut(in, first), &first->ways, bound };
	return 1;
}

void input_done(struct input *in)
{
	for (u32 i = 0; i < in->n; i++)
		if (in->origins[i].reader)
			in->done(in->arg, in->origins[i].files[in->origins[i].at],
				 in->origins[i].reader);
	in->done = NULL;
}

int input_check(char *const *paths, int n, u64 from_ns, u64 to_ns)
{
	if (to_ns && to_ns <= from_ns)
		return error(-EUSAGE, "--to is not later than --from");
	for (int i = 0; i < n; i++)
		if (paths[i][0] == '-' && paths[i][1])
			return error(-EUSAGE, "'%s' comes after a file; options come first",
				     paths[i]);
	return 0;
}

u64 input_elapsed_ns(const struct input *in, u64 told_ns)
{
	u64 from = in->from_ns ? in->from_ns : in->begin_ns;
	u64 end = shifted(in->begin_ns, told_ns < INT64_MAX ? told_ns : 0);

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
		close_reader(&in->origins[i]);
		in->origins[i].at = 0;
		ret = advance(in, &in->origins[i]);
	}
	return ret;
}

static void origin_release(struct origin *s)
{
	close_reader(s);
	for (u32 i = 0; i < s->files_n; i++)
		free(s->files[i]);
	free(s->files);
	free(s->later_ns);
	free(s->host);
	for (u32 kind = 0; kind < TRACE_KINDS; kind++)
		free(s->numbers[kind]);
	for (int i = 0; i < INPUT_SLOTS; i++)
		free(s->ways.slots[i]);
	free(s->ways.streams);
}

bool input_is_stacked(const struct input *in, const struct trace_stream *s)
{
	return s->layer == LAYER_DEVICE && in->names.of[TRACE_DISK][s->disk]->stacked;
}

void input_close(struct input *in)
{
	for (u32 i = 0; i < in->n; i++)
		origin_release(&in->origins[i]);
	free(in->origins);
	free(in->columns);
	names_drop(&in->names);
}

/* ---- what the filter and the time range leave of a batch, on the common clock ---- */

/* Where an access is within the range. It counts where it ends: its last nanosecond. */
static bool counts(const struct input *in, u64 end_ns)
{
	return (end_ns > in->from_ns || !in->from_ns) && end_ns <= in->to_ns;
}

/* Access @i of @b, @start_ns to @end_ns, as the next of what is left. */
static void keep(struct input *in, const struct trace_batch *b, u32 i, u64 start_ns, u64 end_ns)
{
	struct trace_batch *to = &in->cut;
	u64 from = start_ns > in->from_ns ? start_ns : in->from_ns;
	u64 end = end_ns < in->to_ns ? end_ns : in->to_ns;
	bool counted = counts(in, end_ns);
	u32 n = to->n;

	if (!counted && (from >= end || b->flags[i] & TRACE_UNSPANNED))
		return;
	to->start_ns[n] = from;
	to->end_ns[n] = end > from ? end : from;
	to->bytes[n] = b->bytes[i];
	to->queued_ns[n] = b->queued_ns ? b->queued_ns[i] : 0;
	/* the response time stays that of the whole access */
	to->held_ns[n] = b->held_ns ? b->held_ns[i] : 0;
	if (from != start_ns && !to->held_ns[n] && end_ns > start_ns)
		to->held_ns[n] = end_ns - start_ns;
	if (to->offset)
		to->offset[n] = b->offset[i];
	to->stream[n] = b->stream[i];
	to->flags[n] = counted ? b->flags[i] : b->flags[i] | TRACE_PART;
	to->n++;
}

const struct trace_batch *input_cut(struct input *in, const struct origin *s)
{
	const struct trace_batch *b = s->next;
	bool whole = !in->from_ns && in->to_ns == ~0ULL;

	if (s->ways.all && !s->shift_ns && whole) {
		if (b->last_ns > in->last_ns)
			in->last_ns = b->last_ns;
		return b;
	}
	in->cut.n = 0;
	for (u32 i = 0; i < b->n; i++) {
		u64 start = shifted(b->start_ns[i], s->shift_ns);
		u64 end = shifted(b->end_ns[i], s->shift_ns);

		if (end > in->last_ns)
			in->last_ns = end;
		if (s->ways.slots[0][b->stream[i]])
			keep(in, b, i, start, end);
	}
	return &in->cut;
}
