// SPDX-License-Identifier: GPL-2.0-or-later
/* Adds accesses up in slices of time: equal parts of the observation. If there would be too many
 * slices, their width doubles, or the last slice takes all later accesses. */
#include "tools/report/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"

void timeline_init(struct timeline *t, u64 begin_ns, u64 width_ns, u32 most, bool doubles)
{
	*t = (struct timeline){ .begin_ns = begin_ns,
				.width_ns = width_ns,
				.most = most,
				.doubles = doubles };
}

void timeline_release(struct timeline *t)
{
	free(t->slices);
}

void timeline_finish(struct timeline *t)
{
	s64 filling = 0;

	for (u32 i = 0; i < t->n; i++) {
		filling += t->slices[i].full;
		t->slices[i].full = 0;
		t->slices[i].flight_ns += (u128)filling * t->width_ns;
	}
}

void slice_add(struct slice *to, const struct slice *more)
{
	to->accesses += more->accesses;
	to->bytes += more->bytes;
	to->errors += more->errors;
	to->span_ns += more->span_ns;
	to->flight_ns += more->flight_ns;
}

static void double_width(struct timeline *t)
{
	u32 n = (t->n + 1) / 2;

	timeline_finish(t);
	for (u32 i = 0; i < n; i++) {
		struct slice a = t->slices[2 * i];

		if (2 * i + 1 < t->n)
			slice_add(&a, &t->slices[2 * i + 1]);
		t->slices[i] = a;
	}
	t->n = n;
	t->width_ns *= 2;
}

void timeline_narrow(struct timeline *t, u32 slices, u64 width_ns)
{
	while (t->n > slices || t->width_ns < width_ns)
		double_width(t);
}

static void add_slices(struct timeline *t, u32 n)
{
	if (n > t->room) {
		t->room = n + n / 2 + 64;
		t->slices = need(reallocarray(t->slices, t->room, sizeof(*t->slices)));
	}
	memset(t->slices + t->n, 0, (n - t->n) * sizeof(*t->slices));
	t->n = n;
}

static u32 find_slice(struct timeline *t, u64 ns)
{
	u64 i = ns > t->begin_ns ? (ns - t->begin_ns) / t->width_ns : 0;

	while (i >= t->most && t->doubles) {
		double_width(t);
		i /= 2;
	}
	if (i >= t->most) {
		t->full = true;
		i = t->most - 1;
	}
	if (i >= t->n)
		add_slices(t, i + 1);
	return i;
}

struct slice *timeline_end(struct timeline *t, u64 end_ns)
{
	u32 i = find_slice(t, end_ns ? end_ns - 1 : 0);

	return &t->slices[i];
}

static u64 slice_start(const struct timeline *t, u32 i)
{
	return t->begin_ns + i * t->width_ns;
}

/* Finds the slices of @t that overlap [@start_ns, @end_ns). Returns false if there are none. */
static bool find_range(struct timeline *t, u64 *start_ns, u64 end_ns, u32 *first, u32 *last)
{
	if (*start_ns < t->begin_ns)
		*start_ns = t->begin_ns;
	if (*start_ns >= end_ns)
		return false;
	/* find_slice() may double the width of the slices, which changes all indices. So the slice
	 * of the later time is found first; after that, the earlier time causes no further
	 * doubling. */
	*last = find_slice(t, end_ns - 1);
	*first = find_slice(t, *start_ns);
	return true;
}

void timeline_flight(struct timeline *t, u64 start_ns, u64 end_ns)
{
	u32 first, last;

	if (!find_range(t, &start_ns, end_ns, &first, &last))
		return;
	if (first == last) {
		t->slices[first].flight_ns += end_ns - start_ns;
		return;
	}
	t->slices[first].flight_ns += slice_start(t, first + 1) - start_ns;
	t->slices[last].flight_ns += end_ns - slice_start(t, last);
	t->slices[first + 1].full++;
	t->slices[last].full--;
}

void timeline_access(struct timeline *t, const struct trace_batch *b, u32 i)
{
	u8 flags = b->flags[i];

	if (!(flags & TRACE_UNSPANNED))
		timeline_flight(t, b->start_ns[i], b->end_ns[i]);
	if (!(flags & TRACE_PART)) {
		struct slice *s = timeline_end(t, b->end_ns[i]);

		s->accesses++;
		s->bytes += b->bytes[i];
		s->errors += flags & TRACE_FAILED;
	}
}

void timeline_span(struct timeline *t, u64 start_ns, u64 end_ns)
{
	u32 first, last;

	if (!find_range(t, &start_ns, end_ns, &first, &last))
		return;
	for (u32 i = first; i < last; i++) {
		t->slices[i].span_ns += slice_start(t, i + 1) - start_ns;
		start_ns = slice_start(t, i + 1);
	}
	t->slices[last].span_ns += end_ns - start_ns;
}
