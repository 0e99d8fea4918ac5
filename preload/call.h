/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A call in flight. */
#ifndef IOSPAN_PRELOAD_CALL_H
#define IOSPAN_PRELOAD_CALL_H

#include "preload/area.h"

/* One access in flight, in a place that says so to the kernel. */
struct access {
	const struct place *place;
	enum app_span op;
	int fd; /* -1: none, or not known */
	u64 start_ns;
};

void access_enter(struct access *a, const struct place *p, enum app_span op, u64 asked, u64 now);
/* @bytes < 0: it failed, having asked for @asked. */
void access_leave(struct access *a, s64 bytes, u64 asked, u64 now);
/* Ends what @t says is in flight, without counting it. */
void slot_abandon(struct app_thread *t);

/* An interposed function at work. Only a thread's outermost call counts: what
 * it calls in turn is below the app layer. */
struct call {
	void *frame; /* of the interposed function */
	bool counts;
	unsigned accesses_n;
	u64 asked; /* bytes; may be set until call_end() */
	struct access accesses[CALL_ACCESSES];
};

/* A call that is left by pthread_cancel or a C++ exception ends there, where the
 * unwinder is in the program already; else when the thread ends. */
#define CALL(name) \
	struct call name __attribute__((cleanup(call_cleanup))); \
	name.frame = __builtin_frame_address(0); \
	name.counts = false; \
	name.accesses_n = 0

/* The unwinder's own functions: weak, or every program that is measured would
 * have to find and load libgcc_s. Nobody calls them where it is not. */
__asm__(".weak __gcc_personality_v0\n.weak _Unwind_Resume");

/* Is this the outermost call? Then those below it do not count. */
bool call_begin(struct call *c);
/* One more access of this call begins, to @fd; -1: to none, or it is not known. */
void call_access(struct call *c, enum app_span op, int fd, u64 asked);
void call_finish(struct call *c, s64 bytes);
void call_drop(struct call *c);

/* All accesses of the call end: with @bytes each, or failed when negative. */
static inline void call_end(struct call *c, s64 bytes)
{
	if (c->counts)
		call_finish(c, bytes);
}

static inline void call_cleanup(struct call *c)
{
	if (UNLIKELY(c->counts))
		call_drop(c);
}

/* Asks the kernel for this thread's signal stack and remembers it. */
void signal_stack_look(void);

/* Seccomp's strict mode forbids this thread the processor's time counter, which the clock
 * reads: no call is counted from now on. Returns what clock_allow() takes if the mode was
 * not entered. */
u64 clock_forbid(void);
void clock_allow(u64 epoch);

/* ---- records ---- */

/* NULL: nobody records. */
extern struct record_lane *lanes;
extern u32 lanes_n; /* a power of two */

/* @a is over; TRACE_PART: it is given up, and counts no access. */
void record_access(const struct access *a, u64 bytes, u32 flags, u64 now);

#endif
