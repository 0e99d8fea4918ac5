// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the behaviours of a job. A behaviour is a set of accesses with similar workloads; a window
 * is a fixed number of successive accesses (job-workload.h). */
#include "tools/characterize/job-workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/event.h"
#include "tools/characterize/character.h"
#include "user/base/need.h"
#include "user/base/num.h"

#define WALKS_MAX (1U << 26)

/* The workload is unknown if more than this fraction of the accesses have an unknown file or
 * offset. */
#define UNPLACED_MAX 0.05

/* A window resembles a behaviour if each property differs by at most its tolerance. */
static const double tolerances[LIKENESSES] = {
	[LIKE_SIZE] = M_LN2,
	[LIKE_READ] = 0.3,
	[LIKE_SEQUENTIAL] = 0.3,
	[LIKE_CONCURRENCY] = M_LN2 * 1.5,
};

/* A window with fewer accesses than this starts no new behaviour, because its properties are
 * uncertain. */
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

/* Returns the largest difference between the properties @a and @b. Each difference is divided by
 * the tolerance of the property, so a result above 1 means "not similar". */
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

/* Returns the behaviour that a window with the properties @like belongs to. If none is similar,
 * makes a new behaviour. */
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

	/* The window contains no access, only parts of accesses (TRACE_PART), such as the time in
	 * flight until a requeue. The parts are added to the previous behaviour. If there is no
	 * previous behaviour, they are left out. */
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

static void behaviours_add(struct behaviours *b, const struct visit *v, bool sequential)
{
	b->window[b->filled++] = (struct walked){ *v, sequential };
	b->accesses += !(v->flags & TRACE_PART);
	if (b->accesses == BEHAVIOUR_WINDOW || b->filled == 2 * BEHAVIOUR_WINDOW)
		end_window(b);
}

void job_workload_init(struct job_workload *w, u64 pause_ns)
{
	w->all.issuers.pause_ns = w->behaviours.pause_ns = pause_ns;
}

/* Returns true if @v starts where the previous access of its walk ended. The first access of a walk
 * is not sequential. */
static bool is_sequential(struct job_workload *w, const struct visit *v)
{
	u32 before = w->walks.n;
	u32 i = keys_number(&w->walks, (u64)v->process << 32 | workload_model_file(v), WALKS_MAX);
	bool sequential;

	w->ends = need_index(w->ends, &w->ends_n, i, sizeof(*w->ends));
	sequential = w->walks.n == before && w->ends[i] == v->offset;
	w->ends[i] = v->offset + v->bytes;
	return sequential;
}

void job_workload_add(struct job_workload *w, const struct visit *v)
{
	bool part = v->flags & TRACE_PART, sequential;

	if (v->offset == TRACE_NO_OFFSET || (!v->file && v->layer != LAYER_DEVICE)) {
		w->unplaced += !part;
		return;
	}
	if (!v->bytes && !part) {
		w->empty++;
		return;
	}
	sequential = !part && is_sequential(w, v);
	workload_model_add(&w->all, v, sequential);
	behaviours_add(&w->behaviours, v, sequential);
}

void job_workload_settle(struct job_workload *w, u64 before_ns)
{
	workload_model_settle(&w->all, before_ns);
}

void job_workload_finish(struct job_workload *w)
{
	struct behaviours *b = &w->behaviours;

	if (b->filled)
		end_window(b);
	for (u32 i = 0; i < b->n; i++)
		workload_model_finish(&b->of[i].model);
	workload_model_finish(&w->all);
}

void job_workload_release(struct job_workload *w)
{
	for (u32 i = 0; i < w->behaviours.n; i++)
		workload_model_release(&w->behaviours.of[i].model);
	workload_model_release(&w->all);
	keys_release(&w->walks);
	free(w->ends);
}

char *job_workload_reason(const struct job_workload *w, u64 losses)
{
	if (losses > LOST_MAX * w->all.n)
		return need_text("the trace lacks more than 5 %% of the accesses, see the losses");
	if (w->unplaced > UNPLACED_MAX * (w->all.n + w->empty + w->unplaced))
		return need_text("%llu access%s without a known file and offset",
				 (unsigned long long)w->unplaced, num_word(w->unplaced, "", "es"));
	if (!w->all.n)
		return need_text("no access moved bytes");
	if (w->all.extents.full)
		return need_text("more than %u separate ranges of bytes were accessed",
				 EXTENTS_MAX / 2);
	if (isnan(issuers_depth(&w->all.issuers)))
		return need_text("no access has a start and an end");
	return NULL;
}
