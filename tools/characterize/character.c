// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes the I/O characteristics of a job at one layer from its accesses. A walk is the sequence
 * of reads, or of writes, of one process in one file. */
#include "tools/characterize/character.h"

#include <math.h>
#include <stdlib.h>

#include "user/base/err.h"

/* Reads and writes are balanced if their numbers differ by at most this fraction of their sum. */
#define BALANCED 0.1

void character_release(struct character *c)
{
	struct requests *r = c->requests;

	counters_release(&c->counters);
	if (!r)
		return;
	for (int d = 0; d < DIRECTIONS; d++) {
		cover_release(&r->busy[d]);
		free(r->depth[d].ends.at);
		sizes_release(&r->sizes[d]);
	}
	steps_release(&r->steps);
	sharing_release(&r->sharing);
	cover_release(&r->syncing);
	job_workload_release(&r->workload);
	free(r);
}

/* Returns an id of the walk (steps.h) to which @v belongs. */
static u64 walk_key(const struct visit *v)
{
	if (v->layer == LAYER_DEVICE)
		return (u64)v->server << 1 | v->op;
	return (u64)v->process << 33 | (u64)v->file << 1 | v->op;
}

static void count_position(struct requests *r, const struct visit *v)
{
	if (v->offset == TRACE_NO_OFFSET || (!v->file && v->layer != LAYER_DEVICE))
		r->steps.unplaced[v->op]++;
	else
		steps_add(&r->steps, walk_key(v), v->op, v->offset, v->bytes);
	if (v->file)
		sharing_count(&r->sharing, v->file, v->process, v->op, v->bytes);
}

static void count_transfer(struct counters *c, const struct visit *v)
{
	struct moved *cell = counters_make_cell(c, v->server, counters_interval(c, v->end_ns));
	bool write = v->op == OP_WRITE;

	if (!cell)
		return;
	cell->of[write ? COUNTER_WRITES : COUNTER_READS]++;
	cell->of[write ? COUNTER_WRITE_BYTES : COUNTER_READ_BYTES] += v->bytes;
}

/* Counts an open, create or close. A call that creates a file counts both as an open and as a
 * create. */
static void count_open(struct counters *c, const struct visit *v)
{
	struct moved *cell = counters_make_cell(c, v->server, counters_interval(c, v->end_ns));

	c->has |= COUNTS_OPENS;
	if (!cell)
		return;
	cell->of[v->op == OP_CLOSE ? COUNTER_CLOSES : COUNTER_OPENS]++;
	cell->of[COUNTER_CREATES] += v->op == OP_CREATE;
}

static bool earlier(const void *a, const void *b)
{
	return *(const u64 *)a < *(const u64 *)b;
}

static const struct heap_kind end_times = { sizeof(u64), earlier };

/* Adds an access that is in flight from @start_ns to @end_ns. Calls must be in the order of
 * @start_ns, because each call removes the accesses that end at @start_ns or earlier. An access of
 * length 0 is never in flight. */
static void depth_add(struct depth *d, u64 start_ns, u64 end_ns)
{
	struct heap *ends = &d->ends;
	u64 ended;

	if (end_ns <= start_ns)
		return;
	while (ends->n && *(const u64 *)ends->at <= start_ns)
		heap_pop(ends, &end_times, &ended);
	heap_push(ends, &end_times, &end_ns);
	if (ends->n > d->most)
		d->most = ends->n;
}

static void add_span(struct requests *r, enum direction d, const struct visit *v)
{
	cover_add(&r->busy[d], v->start_ns, v->end_ns);
	depth_add(&r->depth[d], v->start_ns, v->end_ns);
	if (v->end_ns > v->start_ns)
		r->flight_ns[d] += v->end_ns - v->start_ns;
}

void character_visit(struct character *c, const struct visit *v)
{
	struct requests *r = c->requests;

	if (v->op > OP_WRITE) {
		r->others[v->op] += !(v->flags & TRACE_PART);
		if ((v->op == OP_SYNC || v->op == OP_FLUSH) && !(v->flags & TRACE_UNSPANNED))
			cover_add(&r->syncing, v->start_ns, v->end_ns);
		if (v->op >= OP_OPEN && !(v->flags & TRACE_PART))
			count_open(&c->counters, v);
		return;
	}
	job_workload_add(&r->workload, v);
	if (!(v->flags & TRACE_PART)) {
		sizes_add(&r->sizes[v->op], v->bytes, r->small);
		sizes_add(&r->sizes[DIR_BOTH], v->bytes, r->small);
		count_position(r, v);
		count_transfer(&c->counters, v);
	}
	if (!(v->flags & TRACE_UNSPANNED)) {
		add_span(r, v->op, v);
		add_span(r, DIR_BOTH, v);
		if (v->file)
			sharing_span(&r->sharing, v->file, v->process, v->start_ns, v->end_ns,
				     v->flags & TRACE_PART);
	}
}

static void add_period(void *arg, u64 start_ns, u64 end_ns)
{
	struct periods *p = arg;

	if (!p->n)
		p->first_ns = start_ns;
	/* If character_settle() was called within a busy period, add_period() gets the period in
	 * two parts. The second part starts where the first part ends, and is not counted again. */
	p->n += !p->n || start_ns > p->last_ns;
	p->last_ns = end_ns;
}

void character_settle(struct character *c, u64 before_ns)
{
	struct requests *r = c->requests;

	for (int d = 0; d < DIRECTIONS; d++)
		cover_settle(&r->busy[d], before_ns, add_period, &r->periods[d]);
	cover_settle(&r->sharing.together, before_ns, NULL, NULL);
	cover_settle(&r->syncing, before_ns, NULL, NULL);
	job_workload_settle(&r->workload, before_ns);
}

const char *character_dominating(u128 reads, u128 writes)
{
	double sum = (double)reads + writes, difference = (double)reads - writes;

	if (sum == 0)
		return NULL;
	if (fabs(difference) <= BALANCED * sum)
		return "none";
	return difference > 0 ? "read" : "write";
}

/* Stores in @to the bytes of each quarter of the job's time. An interval belongs to the quarter
 * that contains its midpoint. to->half[d] becomes the number of intervals, from the start, until
 * half of all bytes were moved. */
static void split_time(struct course *to, enum direction d, const double *bytes, u32 n)
{
	double all = 0, so_far = 0;

	for (u32 i = 0; i < n; i++)
		all += bytes[i];
	for (u32 i = 0; i < n; i++) {
		to->quarters[d][(u64)(2 * i + 1) * QUARTERS / (2 * (u64)n)] += bytes[i];
		if (so_far < all / 2)
			to->half[d] = i + 1;
		so_far += bytes[i];
	}
}

/* Returns 1 if reads dominate an interval, -1 if writes do, and 0 if their numbers are equal. */
static double dominance_of(const struct moved *cell)
{
	u128 reads = cell->of[COUNTER_READS], writes = cell->of[COUNTER_WRITES];

	return (reads > writes) - (reads < writes);
}

/* Counts how often the job changes between mainly reading and mainly writing. Skips the intervals
 * with equal numbers of reads and writes. */
static u64 count_changes(const double *dominance, u32 n)
{
	double before = 0;
	u64 changes = 0;

	for (u32 i = 0; i < n; i++) {
		changes += dominance[i] != 0 && before != 0 && dominance[i] != before;
		if (dominance[i] != 0)
			before = dominance[i];
	}
	return changes;
}

static void compute_course(struct course *to, const struct counters *c)
{
	double *series = need(calloc(c->n + 1, (DIRECTIONS + 1) * sizeof(*series)));
	double *dominance = series + DIRECTIONS * c->n;

	for (u32 i = 0; i < c->n; i++) {
		struct moved cell = counters_of_interval(c, i);

		for (int d = 0; d < DIRECTIONS; d++)
			series[d * c->n + i] = moved_bytes(&cell, d);
		dominance[i] = dominance_of(&cell);
	}
	for (int d = 0; d < DIRECTIONS; d++) {
		split_time(to, d, series + d * c->n, c->n);
		to->rhythm[d] = rhythm_of(series + d * c->n, c->n);
	}
	to->dominance = rhythm_of(dominance, c->n);
	to->dominance_changes = count_changes(dominance, c->n);
	free(series);
}

void character_finish(struct character *c)
{
	c->course.total = counters_total(&c->counters);
	for (u32 i = 0; i < c->thresholds_n; i++)
		for (int d = 0; d < DIRECTIONS; d++)
			c->course.bursts[i][d] = counters_burst(&c->counters, d, c->thresholds[i]);
	compute_course(&c->course, &c->counters);
	if (c->requests)
		job_workload_finish(&c->requests->workload);
}
