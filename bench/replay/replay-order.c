// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds, for each access, the accesses of its process that must end before it starts. The accesses
 * of a process are sorted by their ends. Those that must end first are at the start of this list,
 * so it suffices to store their number (.after). */
#include "bench/replay/replay-order.h"

#include <stdlib.h>

#include "user/base/err.h"

static int compare(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

static int by_start(const void *a, const void *b)
{
	const struct replay_access *x = a, *y = b;

	return compare(x->process, y->process)	  ?:
		compare(x->start_ns, y->start_ns) ?:
						    compare(x->end_ns, y->end_ns);
}

static int by_end(const void *a, const void *b, void *accesses)
{
	const struct replay_access *x = (struct replay_access *)accesses + *(const u32 *)a;
	const struct replay_access *y = (struct replay_access *)accesses + *(const u32 *)b;

	return compare(x->end_ns, y->end_ns) ?: compare(x->start_ns, y->start_ns);
}

/* Returns true if the replay must not start @a until @before has ended. On a coarse clock, two
 * accesses may start and end at the same time. If the starts were not compared, too, each of the
 * two would wait for the other. */
static bool comes_before(const struct replay_access *before, const struct replay_access *a)
{
	return before->end_ns <= a->start_ns && before->start_ns < a->start_ns;
}

static void order_process(struct replay *r, struct replay_process *p, u64 begin_ns)
{
	struct replay_access *accesses = r->accesses + p->first;
	u32 *ended = r->ended + p->first, after = 0;

	for (u32 i = 0; i < p->n; i++)
		ended[i] = i;
	qsort_r(ended, p->n, sizeof(*ended), by_end, accesses);
	for (u32 i = 0; i < p->n; i++) {
		struct replay_access *a = &accesses[i];

		while (after < i && comes_before(&accesses[ended[after]], a))
			after++;
		a->after = after;
		a->think_ns = a->start_ns - (after ? accesses[ended[after - 1]].end_ns : begin_ns);
		if (i + 1 - after > p->depth)
			p->depth = i + 1 - after;
		if (a->bytes > p->most_bytes)
			p->most_bytes = a->bytes;
	}
}

void replay_order(struct replay *r)
{
	u64 begin_ns = ~0ULL, end_ns = 0;
	u32 first = 0;

	for (u64 i = 0; i < r->n; i++) {
		if (r->accesses[i].start_ns < begin_ns)
			begin_ns = r->accesses[i].start_ns;
		if (r->accesses[i].end_ns > end_ns)
			end_ns = r->accesses[i].end_ns;
	}
	r->elapsed_ns = end_ns - begin_ns;
	qsort(r->accesses, r->n, sizeof(*r->accesses), by_start);
	r->ended = need(calloc(r->n, sizeof(*r->ended)));
	r->processes = need(calloc(r->processes_n, sizeof(*r->processes)));
	for (u64 i = 0; i < r->n; i++)
		r->processes[r->accesses[i].process].n++;
	for (u32 i = 0; i < r->processes_n; i++) {
		r->processes[i].first = first;
		first += r->processes[i].n;
		order_process(r, &r->processes[i], begin_ns);
	}
}
