/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A call of an interposed function, and its accesses. */
#ifndef IOSPAN_PRELOAD_CALL_H
#define IOSPAN_PRELOAD_CALL_H

#include "preload/thread.h"

/* One access in flight. Its slot shows it to the kernel programs. */
struct access {
	const struct claim *claim;
	enum app_span op;
	int fd; /* -1: none, or not known */
	u64 start_ns;
};

/* @requested: bytes; @now: ns. */
void access_enter(struct access *a, const struct claim *c, enum app_span op, u64 requested,
		  u64 now);
/* @bytes < 0: the access failed and counts with the bytes @requested. */
void access_leave(struct access *a, s64 bytes, u64 requested, u64 now);
/* Ends the access that @t shows in flight, without counting it. */
void slot_abandon(struct app_thread *t);

/* A call of an interposed function. Only a thread's outermost call counts: the calls that it makes
 * in turn are below the app layer. */
struct call {
	void *frame; /* stack frame of the interposed function */
	bool counts;
	unsigned accesses_n;
	u64 requested; /* bytes; may be set until call_end() */
	struct access accesses[CALL_ACCESSES];
};

/* Declares a call. If pthread_cancel or a C++ exception unwinds the stack, the cleanup ends the
 * call. If the program has no unwinder, the call ends when its thread does. */
#define CALL(name) \
	struct call name __attribute__((cleanup(call_cleanup))); \
	name.frame = __builtin_frame_address(0); \
	name.counts = false; \
	name.accesses_n = 0

/* The cleanup refers to these functions of libgcc_s. They are weak, so that a program without that
 * library does not have to load it: nothing unwinds there, so nothing calls them. */
__asm__(".weak __gcc_personality_v0\n.weak _Unwind_Resume");

/* Returns true if this is the thread's outermost call. Until its end, calls below do not count. */
bool call_start(struct call *c);
/* Starts one more access of this call, to @fd; -1: no descriptor, or not known. */
void call_access(struct call *c, enum app_span op, int fd, u64 requested);
void call_finish(struct call *c, s64 bytes);
void call_drop(struct call *c);

/* Ends all accesses of the call with @bytes each. A negative @bytes means that they failed. */
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

/* Seccomp's strict mode forbids this thread to read the clock, with and without a system call. From now on no call of the thread is counted. If the mode was not entered, pass
 * the result to clock_allow(). */
u64 clock_forbid(void);
void clock_allow(u64 epoch);

/* ---- records ---- */

/* NULL: accesses are not recorded. */
extern struct record_lane *lanes;
extern u32 lanes_n; /* a power of two */

/* Records @a, which ended at @now (ns). TRACE_PART: the access was abandoned and is not counted. */
void record_access(const struct access *a, u64 bytes, u32 flags, u64 now);

#endif
