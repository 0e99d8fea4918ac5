// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts and times a thread's calls to interposed functions. Only the outermost call counts. Calls
 * inside it, such as those of MPI-IO or of signal handlers, are below the app layer.
 *
 * A slot is an entry of the app area, memory shared with iospan, for one access in flight. A span
 * measures the time in which at least one access of a set is in flight; during this time, the span
 * is busy. To abandon a call is to end its accesses and count them only as lost, because the call
 * did not return. */
#include "preload/call.h"
#include "preload/fd.h"
#include "preload/sandbox.h"
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

/* Keeps the compiler from moving stores across this point. The CPU may still reorder them. This
 * does no harm, because the stored values are read only in this thread: in its signal handlers, and
 * in the BPF program that runs when it exits. */
#define ORDERED() __asm__ volatile("" ::: "memory")

/* Adds an access of @op to the span of step @step (see app_step_span()) or, if @enter is false,
 * removes it. Notes the progress in @t. If the thread is killed, a BPF program reads it there.
 * Returns true if the span became busy or idle. */
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

/* Adds an access of @op to its spans or, if @enter is false, removes it. First changes the span of
 * @op. If this span got busy or idle, also changes the spans for all operations together, such as
 * APP_SPAN_WAIT (reads, writes and syncs). */
static inline __attribute__((always_inline)) void
spans_change(struct app_thread *t, enum app_span op, bool enter, u64 now)
{
	if (!span_change(t, op, 0, enter, now))
		return;
	for (unsigned step = 1; step < app_steps(op); step++)
		span_change(t, op, step, enter, now);
}

static void notes_reset(struct app_thread *t)
{
	t->begun = t->ended = 0;
	ORDERED();
}

/* Called if a spans_change() was not finished, because a signal handler jumped out of it, or the
 * thread exits. If the span of @op is already changed, changes the remaining spans and returns
 * true. Otherwise changes nothing and returns false. If the thread is killed, bpf/process.bpf.c
 * does the same. */
static bool spans_complete(struct app_thread *t, enum app_span op, bool enter, u64 now)
{
	u8 ended = __atomic_load_n(&t->ended, __ATOMIC_RELAXED);
	struct span *s = &area->spans[app_step_span(op, ended < APP_STEPS ? ended : 0)];
	u32 done = app_steps_done(t, s, enter);

	if (done && app_layer_changes(t))
		for (u32 step = done; step < app_steps(op); step++)
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

/* Adds an access to @row. @bump is add() or add_exclusive(); the compiler makes an inlined copy of
 * this function for each. */
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

static void count_access(const struct claim *c, enum app_span op, u64 bytes, bool failed, u64 ns)
{
	if (c->exclusive)
		row_add(&c->rows[op], add_exclusive, bytes, failed, ns);
	else
		row_add(&c->rows[op], add, bytes, failed, ns);
}

/* Sets the stage of the thread's call: idle, entering, inside or leaving. If the thread is killed,
 * a BPF program reads the stage. For instance, APP_INSIDE must mean that all spans include the
 * access. So the compiler must not move stores across a change of the stage. */
static void slot_set_stage(struct app_thread *t, enum app_stage stage)
{
	__atomic_store_n(&t->stage, stage, __ATOMIC_RELEASE);
	ORDERED();
}

void access_enter(struct access *a, const struct claim *c, enum app_span op, u64 requested, u64 now)
{
	struct app_thread *slot = c->slot;

	a->claim = c;
	a->op = op;
	a->start_ns = now;
	slot->op = op;
	slot->bytes = transferable(requested);
	slot->start_ns = now;
	notes_reset(slot);
	slot_set_stage(slot, APP_ENTERING);
	spans_change(slot, op, true, now);
	slot_set_stage(slot, APP_INSIDE);
}

void access_leave(struct access *a, s64 bytes, u64 requested, u64 now)
{
	struct app_thread *slot = a->claim->slot;
	u64 counted = bytes < 0 ? transferable(requested) : (u64)bytes;
	u64 ns = now > a->start_ns ? now - a->start_ns : 0;
	bool failed = bytes < 0;

	notes_reset(slot);
	slot_set_stage(slot, APP_LEAVING);
	spans_change(slot, a->op, false, now);
	slot_set_stage(slot, APP_IDLE);
	count_access(a->claim, a->op, counted, failed, ns);
	if (UNLIKELY(lanes))
		record_access(a, counted, failed ? TRACE_FAILED : 0, now);
}

void slot_abandon(struct app_thread *t)
{
	/* Another measured program may overwrite the slot at any time. So each field is read only
	 * once, and then checked. */
	u32 op = __atomic_load_n(&t->op, __ATOMIC_RELAXED);
	u32 stage = __atomic_load_n(&t->stage, __ATOMIC_RELAXED);
	struct access abandoned = { .op = op, .fd = -1, .start_ns = t->start_ns };
	u64 now;

	if (stage != APP_IDLE && stage <= APP_LEAVING && op <= APP_SPAN_SYNC) {
		now = now_ns();
		if (stage == APP_ENTERING && spans_complete(t, op, true, now))
			slot_set_stage(t, stage = APP_INSIDE);
		if (stage == APP_INSIDE) {
			notes_reset(t);
			slot_set_stage(t, stage = APP_LEAVING);
		}
		if (stage == APP_LEAVING && !spans_complete(t, op, false, now))
			spans_change(t, op, false, now);
		add(&area->head.killed, 1);
		if (lanes)
			record_access(&abandoned, 0, TRACE_PART, now);
	}
	slot_set_stage(t, APP_IDLE);
}

/* Attribute of a function that is called often. The compiler inlines all its callees. This saves a
 * fifth of the time. */
#define FAST __attribute__((flatten))

static void self_abandon(struct self *me)
{
	for (unsigned i = 0; i < CALL_ACCESSES; i++)
		if (me->claims[i].slot)
			slot_abandon(me->claims[i].slot);
	me->frame = NULL;
}

static bool is_on_stack(const stack_t *s, const void *p)
{
	return (const char *)p >= (const char *)s->ss_sp &&
		(const char *)p < (const char *)s->ss_sp + s->ss_size;
}

/* Returns true if the thread's call in flight was left by a jump that libiospan did not see, such
 * as __builtin_longjmp(). @frame is the stack frame of a new call. If the new call is inside the
 * call in flight, there was no jump. The stack grows down: on the same stack, the new call is
 * inside if @frame is lower. On different stacks, it is inside if @frame is on the signal stack. */
static bool call_was_left(const struct self *me, const void *frame)
{
	bool is_above = (const char *)frame >= (const char *)me->frame;
	const stack_t *alt = &me->signal_stack;

	if ((alt->ss_flags & SS_DISABLE) || is_on_stack(alt, me->frame) == is_on_stack(alt, frame))
		return is_above;
	return is_on_stack(alt, me->frame);
}

EXPORT int sigaltstack(const stack_t *stack, stack_t *old)
{
	__typeof__(sigaltstack) *next = NEXT("sigaltstack");
	stack_t before;
	/* If @stack and @old are the same variable, next() would overwrite the new stack with the
	 * old one. So next() then stores the old stack in `before`. */
	bool is_same = stack && stack == old;
	int ret = next(stack, is_same ? &before : old);

	if (ret == 0 && stack)
		self.signal_stack = *stack;
	if (ret == 0 && is_same)
		*old = before;
	return ret;
}

bool call_start(struct call *c)
{
	struct self *me = &self;

	if (UNLIKELY(!area) && !area_start())
		return false;
	if (UNLIKELY(me->epoch != process->epoch || !me->epoch) && !self_renew(me))
		return false;
	if (UNLIKELY(me->frame)) {
		if (!call_was_left(me, c->frame))
			return false;
		self_abandon(me);
	}
	me->frame = c->frame;
	/* from here on, a call that a signal handler makes is inside this call and does not
	 * count */
	ORDERED();
	c->counts = true;
	c->requested = 0;
	return true;
}

FAST void call_access(struct call *c, enum app_span op, int fd, u64 requested)
{
	struct self *me = &self;
	struct claim *claim = &me->claims[c->accesses_n];
	u64 now;

	c->requested = requested;
	if (UNLIKELY(!claim->slot) && !slot_claim(claim, me))
		return;
	now = c->accesses_n ? c->accesses[0].start_ns : now_ns();
	c->accesses[c->accesses_n].fd = fd;
	access_enter(&c->accesses[c->accesses_n++], claim, op, requested, now);
}

/* Returns false if @c is no longer in flight in this process. There are two reasons:
 * - A signal handler has forked, and this process is the child.
 * - abandon_before_jump() has ended the call before a longjmp(), but the jump did not leave the
 * call. */
static bool call_is_mine(const struct call *c)
{
	struct self *me = &self;

	if (UNLIKELY(me->frame != c->frame))
		/* if a signal handler has called vfork(), this restores the thread's state */
		self_is_lent(me);
	return me->frame == c->frame && self_is_current(me);
}

FAST void call_finish(struct call *c, s64 bytes)
{
	u64 now;

	c->counts = false;
	if (!call_is_mine(c))
		return;
	now = now_ns();
	for (unsigned i = 0; i < c->accesses_n; i++)
		access_leave(&c->accesses[i], bytes, c->requested, now);
	/* up to this point, a call that a signal handler makes is inside this call, and does not
	 * count */
	ORDERED();
	self.frame = NULL;
}

void call_drop(struct call *c)
{
	if (call_is_mine(c))
		self_abandon(&self);
}

/* Abandons the thread's call in flight before the program calls longjmp() or the like. A jump out
 * of a signal handler leaves the call that the signal interrupted. But a jump inside a callback (a
 * function of the program that libc calls) does not leave the call. libiospan cannot distinguish
 * the two, so it abandons the call in both cases. */
static void abandon_before_jump(void)
{
	struct self *me = &self;
	bool lent = area && self_is_lent(me);

	if (area && me->frame && (lent || me->epoch == process->epoch))
		self_abandon(me);
}

u64 clock_forbid(void)
{
	u64 epoch = self.epoch;

	abandon_before_jump();
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
		abandon_before_jump(); \
		next(env, v); \
		__builtin_unreachable(); \
	}

__attribute__((noreturn)) void __longjmp_chk(struct __jmp_buf_tag env[1], int v);

JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)

EXPORT int setcontext(const ucontext_t *context)
{
	__typeof__(setcontext) *next = NEXT("setcontext");

	abandon_before_jump();
	return next(context);
}

struct record_lane *lanes;
u32 lanes_n;

/* Reserves an entry in ring buffer @l, and sets *@number to the number of the entry. Returns NULL
 * if the ring buffer is full. */
static struct recorded *entry_reserve(struct record_lane *l, u64 *number)
{
	u64 head = __atomic_load_n(&l->head, __ATOMIC_RELAXED);

	do {
		if (head - __atomic_load_n(&l->tail, __ATOMIC_ACQUIRE) >= LANE_ENTRIES)
			return NULL;
	} while (!__atomic_compare_exchange_n(&l->head, &head, head + 1, true, __ATOMIC_ACQ_REL,
					      __ATOMIC_RELAXED));
	*number = head;
	return &l->entries[head & (LANE_ENTRIES - 1)];
}

void record_access(const struct access *a, u64 bytes, u32 flags, u64 now)
{
	u32 lane = a->claim ? a->claim->slot - area->threads : 0;
	u64 number;
	struct recorded *to = entry_reserve(&lanes[lane & (lanes_n - 1)], &number);
	struct file_at at;

	if (!to) {
		add(&area->head.no_lane, 1);
		return;
	}
	__atomic_store_n(&to->tgid, self.tid ?: process->pid, __ATOMIC_RELAXED);
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
	__atomic_store_n(&to->held_ns, lane_mark(number, process->pidns), __ATOMIC_RELEASE);
}
