// SPDX-License-Identifier: GPL-2.0-or-later
/* Sorts accesses by their start times, while they arrive roughly in the order of their ends. */
#include "tools/characterize/visits.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"

void visits_add(struct visits *v, const struct visit *one)
{
	if (v->n == v->room) {
		v->room = 2 * v->room + 1024;
		v->at = need(reallocarray(v->at, v->room, sizeof(*v->at)));
		v->spare = need(reallocarray(v->spare, v->room, sizeof(*v->spare)));
	}
	v->at[v->n] = *one;
	v->at[v->n++].number = v->added++;
}

void visits_release(struct visits *v)
{
	free(v->at);
	free(v->spare);
}

static int by_start_and_number(const void *a, const void *b)
{
	const struct visit *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

/* Sorts all accesses by start. The first v->sorted accesses are already in order, so only the
 * accesses after them are sorted. Then both parts are merged. */
static void sort_visits(struct visits *v)
{
	struct visit *a = v->at, *a_end = a + v->sorted, *b = a_end, *end = v->at + v->n;
	struct visit *to = v->spare;

	qsort(b, end - b, sizeof(*b), by_start_and_number);
	while (a < a_end && b < end)
		*to++ = by_start_and_number(a, b) < 0 ? *a++ : *b++;
	memcpy(mempcpy(to, a, (a_end - a) * sizeof(*a)), b, (end - b) * sizeof(*b));
	to = v->at;
	v->at = v->spare;
	v->spare = to;
	v->sorted = v->n;
}

void visits_settle(struct visits *v, u64 before_ns, void (*fn)(void *arg, const struct visit *one),
		   void *arg)
{
	u32 i = 0;

	if (!v->n)
		return;
	sort_visits(v);
	for (; i < v->n && (v->at[i].start_ns < before_ns || v->n - i > VISITS_MAX); i++) {
		v->late += v->at[i].start_ns < v->last_ns;
		if (v->at[i].start_ns > v->last_ns)
			v->last_ns = v->at[i].start_ns;
		fn(arg, &v->at[i]);
	}
	v->n -= i;
	v->sorted = v->n;
	memmove(v->at, v->at + i, v->n * sizeof(*v->at));
}
