// SPDX-License-Identifier: GPL-2.0-or-later
/* A player is a worker that replays the accesses of one recorded process. */
#include "bench/replay/player.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "bench/load/engine-uring.h"
#include "bench/load/verify.h"
#include "bench/load/worker.h"
#include "bench/replay/replay.h"
#include "user/base/clock.h"
#include "user/base/err.h"

/* A sleep may end about this number of ns too late. So the player polls instead of sleeping for a
 * shorter time. */
#define POLL_NS 20000

struct player {
	struct worker *w;
	const struct replay *r;
	/* .accesses: the .n accesses of this process, in the order of their starts */
	const struct replay_access *accesses;
	const u32 *ended;
	u32 n, at, settled, syncs_in_flight;
	/* reached_ns[k]: time at which k accesses had ended; 0: not yet. With replay.exact_order,
	 * only the first k accesses of .ended count. .settled: largest k so far. */
	u64 *reached_ns;
	bool *done;	/* for replay.exact_order: which accesses have ended */
	u32 *access_of; /* access_of[k]: index of the access for which request k is used */
};

static int player_init(struct player *p, struct worker *w)
{
	const struct replay *r = w->spec->run_arg;
	const struct replay_process *process = &r->processes[w->number];

	*p = (struct player){
		.w = w,
		.r = r,
		.accesses = r->accesses + process->first,
		.ended = r->ended + process->first,
		.n = process->n,
		.reached_ns = calloc(process->n + 1ULL, sizeof(u64)),
		.done = calloc(process->n, sizeof(bool)),
		.access_of = calloc(w->spec->depth, sizeof(u32)),
	};
	if (!p->reached_ns || !p->done || !p->access_of)
		return error(-ENOMEM, "out of memory");
	return 0;
}

static void player_release(struct player *p)
{
	free(p->reached_ns);
	free(p->done);
	free(p->access_of);
}

static bool runs(const struct player *p)
{
	return p->at < p->n && __atomic_load_n(&p->w->load->order, __ATOMIC_SEQ_CST) == LOAD_RUN;
}

static bool has_in_flight(const struct player *p)
{
	return p->w->in_flight || p->syncs_in_flight;
}

/* Returns when the next access is due; ~0 if it waits for accesses in flight. */
static u64 next_due(const struct player *p)
{
	const struct replay_access *a = &p->accesses[p->at];
	u64 reached = p->reached_ns[a->after];

	if (!reached)
		return ~0ULL;
	return reached + (p->r->no_think ? 0 : a->think_ns);
}

static void queue_sync(struct worker *w, struct request *q)
{
	struct ring *r = w->engine;
	struct io_uring_sqe *sqe = ring_next(&r->ring);

	io_uring_prep_fsync(sqe, 0, 0);
	io_uring_sqe_set_flags(sqe, IOSQE_FIXED_FILE);
	io_uring_sqe_set_data(sqe, q);
}

static void queue_access(struct player *p, u64 now)
{
	const struct replay_access *a = &p->accesses[p->at];
	struct worker *w = p->w;
	struct request *q = w->idle[--w->idle_n];

	p->access_of[q - w->requests] = p->at++;
	q->offset = a->offset;
	q->bytes = a->bytes;
	q->write = a->op == OP_WRITE;
	if (a->op == OP_SYNC) {
		q->start_ns = now;
		p->syncs_in_flight++;
		queue_sync(w, q);
		return;
	}
	if (w->spec->verify) {
		verify_begin(w->spec->verify, 0, q);
		now = now_ns(); /* the latency excludes the time for making the data */
	}
	q->start_ns = now;
	if (!w->in_flight++)
		span_enter(&w->load->span, now);
	w->spec->engine->queue(w, q);
}

static void count_transfer(struct worker *w, struct request *q, u64 now)
{
	worker_count(w, q, now);
	if (w->spec->verify)
		verify_end(w->spec->verify, 0, q);
	if (!--w->in_flight)
		span_leave(&w->load->span, now);
}

static void count_end(struct player *p, u32 access, u64 now)
{
	if (!p->r->exact_order) {
		p->reached_ns[++p->settled] = now;
		return;
	}
	p->done[access] = true;
	while (p->settled < p->n && p->done[p->ended[p->settled]])
		p->reached_ns[++p->settled] = now;
}

static void collect_ended(struct player *p, u64 now)
{
	struct worker *w = p->w;

	for (unsigned i = 0; i < w->ended_n; i++) {
		struct request *q = w->ended[i];
		u32 access = p->access_of[q - w->requests];

		count_end(p, access, now);
		w->idle[w->idle_n++] = q;
		if (q->result < 0 && !w->counts.first_errno)
			w->counts.first_errno = -q->result;
		if (p->accesses[access].op == OP_SYNC)
			p->syncs_in_flight--;
		else
			count_transfer(w, q, now);
	}
	w->ended_n = 0;
}

/* Waits until an access in flight has ended, or until the time @due. */
static void wait_until(struct player *p, u64 now, u64 due)
{
	struct worker *w = p->w;
	bool sleeps = due == ~0ULL || due > now + POLL_NS;

	if (has_in_flight(p))
		w->error = w->spec->engine->reap(w, sleeps, due == ~0ULL ? 0 : due);
	else if (sleeps)
		load_sleep(w->load, LOAD_RUN, due);
}

static void play(struct player *p)
{
	u64 now = now_ns(), due;

	p->reached_ns[0] = now;
	while ((runs(p) || has_in_flight(p)) && !p->w->error) {
		due = ~0ULL;
		while (!p->w->error && runs(p) && (due = next_due(p)) <= now) {
			queue_access(p, now);
			/* Submits each access by a call of its own. Otherwise the kernel could
			 * merge accesses. */
			p->w->error = p->w->spec->engine->reap(p->w, false, 0);
			now = now_ns();
			collect_ended(p, now);
		}
		if (!p->w->error && (runs(p) || has_in_flight(p)))
			wait_until(p, now, runs(p) ? due : ~0ULL);
		now = now_ns();
		collect_ended(p, now);
	}
	if (p->w->in_flight)
		span_leave(&p->w->load->span, now);
	p->w->in_flight = 0;
	p->w->counts.ended_ns = now;
}

void replay_worker(struct worker *w)
{
	struct player p;

	prctl(PR_SET_TIMERSLACK, 1);
	w->error = player_init(&p, w);
	if (!w->error)
		play(&p);
	player_release(&p);
	w->left = 0;
}
