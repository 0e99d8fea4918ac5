/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls to interposed functions, and the accesses of these calls. An interposed function is one
 * that libiospan defines in place of libc's. The app area is memory in which libiospan counts
 * calls, and from which iospan reads the counters. A slot is an entry of the app area for one
 * access in flight. */
#ifndef IOSPAN_PRELOAD_CALL_H
#define IOSPAN_PRELOAD_CALL_H

#include "preload/thread.h"

/* One access in flight. claim->slot is its entry in the app area. If the thread is killed, a BPF
 * program ends the access with the data in this entry. */
struct access {
	const struct claim *claim;
	enum app_span op;
	int fd; /* file descriptor; -1: there is none, or it is not known */
	u64 start_ns;
};

/* Starts access @a at @now (ns). @requested is its number of bytes. */
void access_enter(struct access *a, const struct claim *c, enum app_span op, u64 requested,
		  u64 now);
/* Ends access @a: removes it from its spans and counts it. A negative @bytes means that the access
 * failed. Then its bytes are @requested, but at most MAX_RW_COUNT, the most that Linux transfers in
 * one call. */
void access_leave(struct access *a, s64 bytes, u64 requested, u64 now);
/* Ends the access in slot @t of the app area, because its call did not return. The access is
 * counted only in head.killed. */
void slot_abandon(struct app_thread *t);

/* A call of an interposed function. Only a thread's outermost call counts. */
struct call {
	void *frame;
	bool counts;
	unsigned accesses_n;
	/* bytes requested; the interposed function may change this number before it calls
	 * call_end() */
	u64 requested;
	struct access accesses[CALL_ACCESSES];
};

/* Declares a call that ends with the scope of @name, by the cleanup attribute. This works even if
 * pthread_cancel() or a C++ exception unwinds the stack. In a program without an unwinder, the call
 * ends when its thread ends. */
#define CALL(name) \
	struct call name __attribute__((cleanup(call_cleanup))); \
	name.frame = __builtin_frame_address(0); \
	name.counts = false; \
	name.accesses_n = 0

/* The cleanup attribute needs the two functions of libgcc_s below to unwind the stack. The
 * references are weak, so that a program without libgcc_s need not load it. Nothing unwinds the
 * stack of such a program. */
__asm__(".weak __gcc_personality_v0\n.weak _Unwind_Resume");

/* Starts call @c. Returns true if it is the thread's outermost call, so that it counts. */
bool call_start(struct call *c);
/* Starts an access of @op in call @c. @fd is its descriptor; -1: it has none, or it is not
 * known. */
void call_access(struct call *c, enum app_span op, int fd, u64 requested);
void call_finish(struct call *c, s64 bytes);
void call_drop(struct call *c);

/* Ends the call and its accesses. Each access has transferred @bytes; below 0: the accesses
 * failed. */
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

/* clock_forbid() stops counting this thread's calls, and returns the old self.epoch. It is called
 * before the thread enters seccomp's strict mode, in which it may not read the clock. If entering
 * fails, clock_allow() starts counting again. @epoch is the value that clock_forbid() returned. */
u64 clock_forbid(void);
void clock_allow(u64 epoch);

/* ring buffers for recorded accesses; NULL if iospan does not record */
extern struct record_lane *lanes;
/* number of ring buffers in lanes; a power of two, so that the low bits of a slot number select
 * a ring buffer */
extern u32 lanes_n;

/* Records access @a, which ended at @now (ns). @flags has bits of enum trace_flag. TRACE_PART means
 * that the access did not end normally, so that it is not counted. */
void record_access(const struct access *a, u64 bytes, u32 flags, u64 now);

#endif
