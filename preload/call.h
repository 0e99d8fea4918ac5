/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of the program to interposed functions (those that libiospan defines in place of
 * libc's), and the accesses of these calls. */
#ifndef IOSPAN_PRELOAD_CALL_H
#define IOSPAN_PRELOAD_CALL_H

#include "preload/thread.h"

/* One access in flight. The slot of its claim is in the app area, where the BPF programs find
 * the access if the thread is killed. */
struct access {
	const struct claim *claim;
	enum app_span op;
	int fd; /* -1 if the access has no descriptor or it is not known */
	u64 start_ns;
};

/* Starts access @a: enters its spans. @requested is in bytes, @now in ns. */
void access_enter(struct access *a, const struct claim *c, enum app_span op, u64 requested,
		  u64 now);
/* Ends access @a: leaves its spans and counts it. If @bytes is negative, the access failed; then
 * it counts with @requested bytes. */
void access_leave(struct access *a, s64 bytes, u64 requested, u64 now);
/* Ends the access in flight in slot @t without counting it. */
void slot_abandon(struct app_thread *t);

/* One call of an interposed function. Only a thread's outermost call counts, because the calls
 * made inside it are below the app layer. */
struct call {
	void *frame; /* stack frame of the interposed function */
	bool counts;
	unsigned accesses_n;
	u64 requested; /* in bytes; may be set until call_end() */
	struct access accesses[CALL_ACCESSES];
};

/* Declares a call that ends with the scope. If pthread_cancel() or a C++ exception unwinds the
 * stack, call_cleanup() ends the call. If the program has no unwinder, the call ends when its
 * thread exits. */
#define CALL(name) \
	struct call name __attribute__((cleanup(call_cleanup))); \
	name.frame = __builtin_frame_address(0); \
	name.counts = false; \
	name.accesses_n = 0

/* The cleanup attribute makes the compiler refer to these functions of libgcc_s. The references
 * are weak, so that a program without libgcc_s need not load it. In such a program nothing
 * unwinds the stack, so nothing calls them. */
__asm__(".weak __gcc_personality_v0\n.weak _Unwind_Resume");

/* Returns true if @c is the thread's outermost call, so that it counts. Until @c ends, no other
 * call of the thread counts. */
bool call_start(struct call *c);
/* Starts one more access in call @c, to descriptor @fd. @fd is -1 if there is no descriptor or
 * it is not known. */
void call_access(struct call *c, enum app_span op, int fd, u64 requested);
void call_finish(struct call *c, s64 bytes);
void call_drop(struct call *c);

/* Ends the call with all its accesses. Each access transferred @bytes; a negative @bytes means
 * that it failed. */
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

/* Stops counting calls of this thread, before it enters seccomp's strict mode. That mode forbids
 * the thread to read the clock, with and without a system call. Returns the previous self.epoch.
 * If the thread could not enter the mode, pass that value to clock_allow(), which starts
 * counting again. */
u64 clock_forbid(void);
void clock_allow(u64 epoch);

/* ---- records ---- */

/* The record lanes after the app area; NULL if accesses are not recorded. */
extern struct record_lane *lanes;
extern u32 lanes_n; /* number of lanes; a power of two */

/* Writes a record of access @a, which ended at @now (ns), to a lane. @flags is of enum
 * trace_flag; TRACE_PART means that the access was abandoned and is not counted. */
void record_access(const struct access *a, u64 bytes, u32 flags, u64 now);

#endif
