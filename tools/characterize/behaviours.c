// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/characterize/behaviours.h"

#include <math.h>
#include <string.h>

#include "bpf/event.h"

/* A window resembles a behaviour if no property differs by more than this. */
static const double tolerances[LIKENESSES] = {
	[LIKE_SIZE] = M_LN2,
	[LIKE_READ] = 0.3,
	[LIKE_SEQUENTIAL] = 0.3,
	[LIKE_CONCURRENCY] = M_LN2 * 1.5,
};

/* A window with fewer accesses starts no new behaviour, because its properties are uncertain. */
#define SMALLEST_NEW (BEHAVIOUR_WINDOW / 4)

static void add_properties(const struct behaviours *b, const struct walked *a,
			   double like[LIKENESSES])
{
	like[LIKE_SIZE] += log(a->visit.bytes) / b->accesses;
	like[LIKE_READ] += (double)(a->visit.op == OP_READ) / b->accesses;
	like[LIKE_SEQUENTIAL] += (double)a->sequential / b->accesses;
}

static void measure(const struct behaviours *b, double like[LIKENESSES])
{
	u64 end_ns = 0, busy_ns = 0, flight_ns = 0;

	memset(like, 0, LIKENESSES * sizeof(*like));
	for (u32 i = 0; i < b->filled; i++) {
		const struct visit *v = &b->window[i].visit;

		if (!(v->flags & TRACE_PART))
			add_properties(b, &b->window[i], like);
		if (v->flags & TRACE_UNSPANNED || v->end_ns <= v->start_ns)
			continue;
		flight_ns += v->end_ns - v->start_ns;
		if (v->end_ns > end_ns) {
			busy_ns += v->end_ns - (v->start_ns > end_ns ? v->start_ns : end_ns);
			end_ns = v->end_ns;
		}
	}
	like[LIKE_CONCURRENCY] = busy_ns ? log((double)flight_ns / busy_ns) : 0;
}

/* Returns the largest difference between the properties @a and @b, in units of its tolerance. */
static double distance(const double a[LIKENESSES], const double b[LIKENESSES])
{
	double most = 0;

	for (int i = 0; i < LIKENESSES; i++)
		most = fmax(most, fabs(a[i] - b[i]) / tolerances[i]);
	return most;
}

static struct behaviour *nearest(struct behaviours *b, const double like[LIKENESSES], double *off)
{
	struct behaviour *best = NULL;

	*off = INFINITY;
	for (u32 i = 0; i < b->n; i++) {
		double here = distance(b->of[i].like, like);

		if (here >= *off)
			continue;
		*off = here;
		best = &b->of[i];
	}
	return best;
}

/* Returns the behaviour to which a window with the properties @like belongs. */
static struct behaviour *behaviour_for(struct behaviours *b, const double like[LIKENESSES])
{
	double off;
	struct behaviour *to = nearest(b, like, &off);

	if (to && (off <= 1 || b->n == BEHAVIOURS_MAX || b->accesses < SMALLEST_NEW))
		return to;
	to = &b->of[b->n++];
	to->model.issuers.pause_ns = b->pause_ns;
	to->from_ns = b->window[0].visit.start_ns;
	return to;
}

static void add_window(struct behaviours *b, struct behaviour *to)
{
	workload_model_settle(&to->model, b->window[0].visit.start_ns);
	for (u32 i = 0; i < b->filled; i++) {
		const struct visit *v = &b->window[i].visit;

		workload_model_add(&to->model, v, b->window[i].sequential);
		if (v->end_ns > to->to_ns)
			to->to_ns = v->end_ns;
	}
	b->filled = b->accesses = 0;
}

static void end_window(struct behaviours *b)
{
	double like[LIKENESSES];
	struct behaviour *to;

	/* A behaviour has at least one access, so parts at the start of the job are left out. */
	if (!b->accesses) {
		if (b->before)
			add_window(b, b->before);
		b->filled = 0;
		return;
	}
	measure(b, like);
	to = behaviour_for(b, like);
	to->stretches += to != b->before;
	b->before = to;
	to->windows++;
	for (int i = 0; i < LIKENESSES; i++)
		to->like[i] += (like[i] - to->like[i]) / to->windows;
	add_window(b, to);
}

void behaviours_add(struct behaviours *b, const struct visit *v, bool sequential)
{
	b->window[b->filled++] = (struct walked){ *v, sequential };
	b->accesses += !(v->flags & TRACE_PART);
	if (b->accesses == BEHAVIOUR_WINDOW || b->filled == 2 * BEHAVIOUR_WINDOW)
		end_window(b);
}

void behaviours_finish(struct behaviours *b)
{
	if (b->filled)
		end_window(b);
	for (u32 i = 0; i < b->n; i++)
		workload_model_finish(&b->of[i].model);
}

void behaviours_release(struct behaviours *b)
{
	for (u32 i = 0; i < b->n; i++)
		workload_model_release(&b->of[i].model);
}
