// SPDX-License-Identifier: GPL-2.0-or-later
/* A call in flight. A thread has one at most: what is called inside it (by
 * MPI-IO, by a stream's own functions, by a signal handler) does not count. */
#include "preload/call.h"
#include "preload/fd.h"
#include "preload/sandbox.h"
#include <errno.h>
#include <setjmp.h>
#include <signal.h>

/* ---- spans and rows ---- */

/* The kernel program at the thread's exit and a signal handler of the thread see the stores
 * before it in the program as done before. */
#define ORDERED() __asm__ volatile("" ::: "memory")

/* Enters or leaves a span and notes it in @t; true if the span turns busy or idle. */
static inline __attribute__((always_inline)) bool
span_change(struct app_thread *t, enum app_span op, unsigned step, bool enter, u64 now)
{
	struct span *s = &area->spans[app_step_span(op, step)];
	u64 old, new, held;

	if (!enter)
		span_note_end(s, now);
	do {
		old = span_read(&s->word);
		new = enter ? span_entered(s, old, now) : span_left(s, old, now);
		held = enter ? new : old;
		t->held[step] = held;
		ORDERED();
		t->begun = step + 1;
		ORDERED();
	} while (span_count(held) && !__sync_bool_compare_and_swap(&s->word, old, new));
	ORDERED();
	t->ended = step + 1;
	return span_count(held) == 1;
}

/* Only an access that turns the span of its operation changes those of the layer. */
static inline __attribute__((always_inline)) void
spans_change(struct app_thread *t, enum app_span op, bool enter, u64 now)
{
	if (!span_change(t, op, 0, enter, now) || op == APP_SPAN_SYNC)
		return;
	for (unsigned step = 1; step < APP_STEPS; step++)
		span_change(t, op, step, enter, now);
}

static void notes_reset(struct app_thread *t)
{
	t->begun = t->ended = 0;
	ORDERED();
}

/* If the stage of @t has changed the span of its operation, completes the rest and returns true.
 * end_call() of the kernel programs does so for a thread that died. */
static bool spans_complete(struct app_thread *t, enum app_span op, bool enter, u64 now)
{
	u32 ended = __atomic_load_n(&t->ended, __ATOMIC_RELAXED);
	struct span *s = &area->spans[app_step_span(op, ended < APP_STEPS ? ended : 0)];
	u32 done = app_steps_done(t, s, enter);

	if (done && app_layer_changes(t, op))
		for (u32 step = done; step < APP_STEPS; step++)
			span_change(t, op, step, enter, now);
	return done;
}

static inline __attribute__((always_inline)) void add_wide(u128 *sum, u64 (*bump)(u64 *, u64),
							   u64 n)
{
	u64 *word = (u64 *)sum;

	if (UNLIKELY(bump(&word[U128_LOW], n) + n < n))
		bump(&word[!U128_LOW], 1);
}

/* Compiled twice, once for each way to add: add() and add_alone(). */
static inline __attribute__((always_inline)) void row_add(struct row *row, u64 (*bump)(u64 *, u64),
							  u64 bytes, bool failed, u64 ns)
{
	u64 max = __atomic_load_n(&row->max_ns, __ATOMIC_RELAXED);

	bump(&row->accesses, 1);
	add_wide(&row->bytes, bump, bytes);
	if (failed)
		bump(&row->errors, 1);
	bump(&row->timed, 1);
	add_wide(&row->latency_ns, bump, ns);
	bump(&row->hist[hist_index(ns)], 1);
	while (ns > max &&
	       !__atomic_compare_exchange_n(&row->max_ns, &max, ns, true, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED))
		;
}

static void place_count(const struct place *p, enum app_span op, u64 bytes, bool failed, u64 ns)
{
	if (p->alone)
		row_add(&p->rows[op], add_alone, bytes, failed, ns);
	else
		row_add(&p->rows[op], add, bytes, failed, ns);
}

/* ---- one access ---- */

/* Read by the kernel when this thread is killed: INSIDE must mean that the spans
 * were entered and not yet left, so neither moves past the other. */
static void set_stage(struct app_thread *t, enum app_stage stage)
{
	__atomic_store_n(&t->stage, stage, __ATOMIC_RELEASE);
	__asm__ volatile("" ::: "memory");
}

void access_enter(struct access *a, const struct place *p, enum app_span op, u64 asked, u64 now)
{
	struct app_thread *slot = p->slot;

	a->place = p;
	a->op = op;
	a->start_ns = now;
	slot->op = op;
	slot->bytes = asked;
	slot->start_ns = now;
	notes_reset(slot);
	set_stage(slot, APP_ENTERING);
	spans_change(slot, op, true, now);
	set_stage(slot, APP_INSIDE);
}

void access_leave(struct access *a, s64 bytes, u64 asked, u64 now)
{
	struct app_thread *slot = a->place->slot;

	notes_reset(slot);
	set_stage(slot, APP_LEAVING);
	spans_change(slot, a->op, false, now);
	set_stage(slot, APP_IDLE);
	place_count(a->place, a->op, bytes < 0 ? asked : (u64)bytes,
		    bytes<0, now> a->start_ns ? now - a->start_ns : 0);
	if (UNLIKELY(lanes))
		record_access(a, bytes < 0 ? asked : (u64)bytes, bytes < 0 ? TRACE_FAILED : 0, now);
}

void slot_abandon(struct app_thread *t)
{
	/* once: others may write them */
	u32 op = __atomic_load_n(&t->op, __ATOMIC_RELAXED);
	u32 stage = __atomic_load_n(&t->stage, __ATOMIC_RELAXED);
	struct access gone = { .op = op, .fd = -1, .start_ns = t->start_ns };
	u64 now;

	if (stage != APP_IDLE && stage <= APP_LEAVING && op <= APP_SPAN_SYNC) {
		now = now_ns();
		if (stage == APP_ENTERING && spans_complete(t, op, true, now))
			set_stage(t, stage = APP_INSIDE);
		if (stage == APP_INSIDE) {
			notes_reset(t);
			set_stage(t, stage = APP_LEAVING);
		}
		if (stage == APP_LEAVING && !spans_complete(t, op, false, now))
			spans_change(t, op, false, now);
		add(&area->head.killed, 1);
		if (lanes)
			record_access(&gone, 0, TRACE_PART, now);
	}
	set_stage(t, APP_IDLE);
}

/* ---- one call ---- */

/* All of it in line: that takes a fifth off the cost of a call. */
#define FAST __attribute__((flatten))

static void self_abandon(struct self *me)
{
	for (unsigned i = 0; i < CALL_ACCESSES; i++)
		if (me->places[i].slot)
			slot_abandon(me->places[i].slot);
	me->frame = NULL;
}

static bool within(const stack_t *s, const void *p)
{
	return (const char *)p >= (const char *)s->ss_sp &&
		(const char *)p < (const char *)s->ss_sp + s->ss_size;
}

/* Has the call that this thread is in been left behind, by a jump that we did
 * not see? A call inside it would have its frame further down the stack; signal
 * handlers may have a stack of their own. */
static bool left_behind(const struct self *me, const void *frame)
{
	bool up = (const char *)frame >= (const char *)me->frame;
	stack_t alt = me->signal_stack;

	if ((may_call() && sigaltstack(NULL, &alt)) || (alt.ss_flags & SS_DISABLE) ||
	    within(&alt, me->frame) == within(&alt, frame))
		return up;
	return within(&alt, me->frame);
}

void signal_stack_look(void)
{
	int saved = errno;

	sigaltstack(NULL, &self.signal_stack);
	errno = saved;
}

bool call_begin(struct call *c)
{
	struct self *me = &self;

	if (UNLIKELY(!area) && !area_start())
		return false;
	if (UNLIKELY(me->epoch != process->epoch || !me->epoch) && !self_renew(me))
		return false;
	if (UNLIKELY(me->frame)) {
		if (!left_behind(me, c->frame))
			return false;
		self_abandon(me);
	}
	me->frame = c->frame;
	/* from here on a signal handler's calls are inside this one */
	__asm__ volatile("" ::: "memory");
	c->counts = true;
	c->asked = 0;
	return true;
}

FAST void call_access(struct call *c, enum app_span op, int fd, u64 asked)
{
	struct self *me = &self;
	struct place *p = &me->places[c->accesses_n];
	u64 now;

	c->asked = asked;
	if (UNLIKELY(!p->slot) && !place_claim(p, me))
		return;
	now = c->accesses_n ? c->accesses[0].start_ns : now_ns();
	c->accesses[c->accesses_n].fd = fd;
	access_enter(&c->accesses[c->accesses_n++], p, op, asked, now);
}

/* The call is still this thread's, unless a handler forked inside it and this
 * is the child, or it was taken for abandoned. */
static bool call_is_mine(const struct call *c)
{
	return self.frame == c->frame && self.epoch == process->epoch;
}

FAST void call_finish(struct call *c, s64 bytes)
{
	u64 now;

	c->counts = false;
	if (!call_is_mine(c))
		return;
	now = now_ns();
	for (unsigned i = 0; i < c->accesses_n; i++)
		access_leave(&c->accesses[i], bytes, c->asked, now);
	__asm__ volatile("" ::: "memory");
	self.frame = NULL;
}

void call_drop(struct call *c)
{
	if (call_is_mine(c))
		self_abandon(&self);
}

/* ---- jumps ---- */

/* A jump out of a signal handler that came in the middle of a call leaves the
 * call, for all that is known: code that a call runs and that jumps within
 * itself would have its outer call counted as abandoned. */
static void before_jump(void)
{
	struct self *me = &self;

	if (area && me->frame && me->epoch == process->epoch)
		self_abandon(me);
}

u64 clock_forbid(void)
{
	u64 epoch = self.epoch;

	before_jump();
	self.epoch = EPOCH_NO_CLOCK;
	return epoch;
}

void clock_allow(u64 epoch)
{
	self.epoch = epoch;
}

#define JUMP(name) \
	EXPORT __attribute__((noreturn)) void name(struct __jmp_buf_tag env[1], int v) \
	{ \
		__typeof__(name) *next = NEXT(#name); \
\
		before_jump(); \
		next(env, v); \
		__builtin_unreachable(); \
	}

__attribute__((noreturn)) void __longjmp_chk(struct __jmp_buf_tag env[1], int v);

JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)

/* ---- records: into a lane, or if it is full, nowhere ---- */

struct record_lane *lanes;
u32 lanes_n;

/* A place in @l of our own, and its number; NULL: it is full. */
static struct recorded *place_take(struct record_lane *l, u64 *place)
{
	u64 head = __atomic_load_n(&l->head, __ATOMIC_RELAXED);

	do {
		if (head - __atomic_load_n(&l->tail, __ATOMIC_ACQUIRE) >= LANE_ENTRIES)
			return NULL;
	} while (!__atomic_compare_exchange_n(&l->head, &head, head + 1, true, __ATOMIC_ACQ_REL,
					      __ATOMIC_RELAXED));
	*place = head;
	return &l->entries[head & (LANE_ENTRIES - 1)];
}

void record_access(const struct access *a, u64 bytes, u32 flags, u64 now)
{
	u32 lane = a->place ? a->place->slot - area->threads : 0;
	u64 place;
	struct recorded *to = place_take(&lanes[lane & (lanes_n - 1)], &place);
	struct file_at at;

	if (!to) {
		add(&area->head.no_lane, 1);
		return;
	}
	__atomic_store_n(&to->tgid, process->pid, __ATOMIC_RELAXED);
	fd_file(a->fd, &at);
	to->start_ns = a->start_ns;
	to->end_ns = now;
	to->bytes = a->op == APP_SPAN_SYNC ? 0 : bytes;
	to->offset = at.offset;
	to->inode = at.inode;
	to->dev = at.dev;
	to->group = a->fd + 1;
	to->op = op_of_call(a->op);
	to->source = 0;
	to->flags = flags;
	__atomic_store_n(&to->held_ns, lane_mark(place, process->pidns), __ATOMIC_RELEASE);
}
