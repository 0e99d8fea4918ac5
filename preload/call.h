/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program's calls to interposed functions (those that libiospan defines in place of libc's),
 * and the accesses of these calls. */
#ifndef IOSPAN_PRELOAD_CALL_H
#define IOSPAN_PRELOAD_CALL_H

#include "preload/thread.h"

/* One access in flight. claim->slot, an element of threads[] in the app area, has the data by which
 * a BPF program ends the access if the thread is killed. */
struct access {
	const struct claim *claim;
	enum app_span op;
	int fd; /* file descriptor; -1: there is none, or it is not known */
	u64 start_ns;
};

/* Starts access @a: adds it to its spans. @requested is in bytes, @now in ns. */
void access_enter(struct access *a, const struct claim *c, enum app_span op, u64 requested,
		  u64 now);
/* Ends access @a: removes it from its spans and counts it. A negative @bytes means that the access
 * failed; then it counts with @requested bytes, but at most MAX_RW_COUNT. */
void access_leave(struct access *a, s64 bytes, u64 requested, u64 now);
/* Ends the access in flight in slot @t, because its call did not return. It is not counted as an
 * access, but in head.killed. */
void slot_abandon(struct app_thread *t);

/* One call of an interposed function. Only the outermost call of a thread counts: calls made inside
 * it are those of the library, below the app layer. */
struct call {
	void *frame; /* stack frame of the interposed function */
	bool counts;
	unsigned accesses_n;
	/* bytes requested; the interposed function may set it until it calls call_end() */
	u64 requested;
	struct access accesses[CALL_ACCESSES];
};

/* Declares a call that ends when the variable goes out of scope. If pthread_cancel() or a C++
 * exception unwinds the stack, call_cleanup() ends it. If the program has no unwinder, the call
 * ends when its thread exits. */
#define CALL(name) \
	struct call name __attribute__((cleanup(call_cleanup))); \
	name.frame = __builtin_frame_address(0); \
	name.counts = false; \
	name.accesses_n = 0

/* The cleanup attribute makes the compiler refer to these functions of libgcc_s. The references
 * are weak, so that a program without libgcc_s need not load it. In such a program nothing
 * unwinds the stack, so nothing calls them. */
__asm__(".weak __gcc_personality_v0\n.weak _Unwind_Resume");

/* Starts call @c. Returns true if it is the thread's outermost call, so that it counts. Until @c
 * ends, no other call of the thread counts. */
bool call_start(struct call *c);
/* Starts an access of operation @op to descriptor @fd in call @c. @fd is -1 if there is no
 * descriptor, or if it is not known. */
void call_access(struct call *c, enum app_span op, int fd, u64 requested);
void call_finish(struct call *c, s64 bytes);
void call_drop(struct call *c);

/* Ends the call and its accesses. Each access transferred @bytes; a negative @bytes means that it
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

/* Stops counting calls of this thread before it enters seccomp's strict mode, because the mode
 * forbids reading the clock, even without a system call. Returns the previous self.epoch. If the
 * thread then could not enter the mode, pass that value to clock_allow(), which starts counting
 * again. */
u64 clock_forbid(void);
void clock_allow(u64 epoch);

/* ---- records ---- */

/* Ring buffers for recorded accesses, after the app area; NULL if iospan does not record. */
extern struct record_lane *lanes;
/* number of ring buffers in lanes; a power of two, because a slot number is masked */
extern u32 lanes_n;

/* Records access @a, which ended at @now (ns), in a ring buffer of lanes. @flags has bits of enum
 * trace_flag. TRACE_PART means that the access did not end normally and is not counted. */
void record_access(const struct access *a, u64 bytes, u32 flags, u64 now);

#endif
