/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls to interposed functions, and the accesses of these calls. An interposed function is one
 * that libiospan defines in place of libc's. The app area is memory in which libiospan counts
 * calls, and from which iospan reads the counters. A slot is an entry of the app area for one
 * access in flight. */
#ifndef IOSPAN_PRELOAD_CALL_H
#define IOSPAN_PRELOAD_CALL_H

#include "preload/thread.h"

/* One access in flight. If the thread is killed, a BPF program reads claim->slot, the entry of the
 * access in the app area, and ends the access. */
struct access {
	const struct claim *claim;
	enum app_span op;
	int fd; /* file descriptor; -1: there is none, or it is not known */
	u64 start_ns;
};

/* Starts access @a of @requested bytes at @now (ns). */
void access_enter(struct access *a, const struct claim *c, enum app_span op, u64 requested,
		  u64 now);
/* Ends access @a: removes it from its spans and counts it. A negative @bytes means that the access
 * failed. Then it counts with @requested bytes, but at most MAX_RW_COUNT, the most that Linux
 * transfers in one call. */
void access_leave(struct access *a, s64 bytes, u64 requested, u64 now);
/* Ends the access in slot @t of the app area, because the call of this access did not return. The
 * access is counted only in head.killed. */
void slot_abandon(struct app_thread *t);

/* One call of an interposed function. Only a thread's outermost call counts. */
struct call {
	void *frame;
	bool counts;
	unsigned accesses_n;
	/* bytes requested; the interposed function may set it until it calls call_end() */
	u64 requested;
	struct access accesses[CALL_ACCESSES];
};

/* Declares a call that ends with the scope of @name. The cleanup attribute runs call_cleanup() even
 * if pthread_cancel() or a C++ exception unwinds the stack. If the program has no unwinder, the
 * call ends when its thread ends. */
#define CALL(name) \
	struct call name __attribute__((cleanup(call_cleanup))); \
	name.frame = __builtin_frame_address(0); \
	name.counts = false; \
	name.accesses_n = 0

/* The compiler makes the cleanup attribute refer to the two functions of libgcc_s below. The
 * references are weak, so that a program without libgcc_s need not load it. Nothing unwinds the
 * stack of such a program, so the functions are not needed. */
__asm__(".weak __gcc_personality_v0\n.weak _Unwind_Resume");

/* Starts call @c. Returns true if it is the thread's outermost call, so that it counts. */
bool call_start(struct call *c);
/* Starts an access of @op to descriptor @fd in call @c. @fd is -1 if there is no descriptor, or it
 * is not known. */
void call_access(struct call *c, enum app_span op, int fd, u64 requested);
void call_finish(struct call *c, s64 bytes);
void call_drop(struct call *c);

/* Ends the call and its accesses. Each access has transferred @bytes. A negative @bytes means that
 * the accesses failed. */
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

/* clock_forbid() stops counting this thread's calls, and returns the old self.epoch. The caller
 * uses it before the thread enters seccomp's strict mode, which forbids reading the clock. If the
 * thread could not enter the mode, clock_allow() with the returned value starts counting again. */
u64 clock_forbid(void);
void clock_allow(u64 epoch);

/* ring buffers for recorded accesses; NULL if iospan does not record */
extern struct record_lane *lanes;
/* number of ring buffers in lanes; a power of two, because the lower bits of a slot number select
 * the ring buffer */
extern u32 lanes_n;

/* Records access @a, which ended at @now (ns). @flags has bits of enum trace_flag. TRACE_PART means
 * that the access did not end normally and is not counted. */
void record_access(const struct access *a, u64 bytes, u32 flags, u64 now);

#endif
