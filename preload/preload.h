/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libiospan.so: counts and times what a program asks of its I/O library.
 *
 *   area.c   the app area that `iospan run` reads: mapping it, places in it
 *   call.c   a call in flight: its spans and counters
 *   fd.c     what is behind a descriptor; when to look again
 *   record.c each access to who records them
 *   posix.c  read, write, fsync and their families
 *   stdio.c  streams
 *   format.c printf and scanf
 *   mpi.c    MPI-IO; mpi-split.c what of it is not one call per access
 *   sandbox.c  seccomp filters that the program installs
 *   loader.c   libraries that the program loads
 *
 * It lives in other people's programs: it never prints, never changes errno,
 * never lets a call fail, takes no lock and makes no system call on the way of
 * a call that it has seen before. When anything is missing it stays inert.
 * After its constructor it makes no system call unless may_call().
 */
#ifndef IOSPAN_PRELOAD_H
#define IOSPAN_PRELOAD_H

/* Else the headers define some of our functions in line. */
#undef _FORTIFY_SOURCE
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>
#include "bpf/event.h"

#define EXPORT __attribute__((visibility("default")))

static inline u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Each returns the value before. */
static inline u64 add(u64 *word, u64 n)
{
	return __atomic_fetch_add(word, n, __ATOMIC_RELAXED);
}

/* For a word that nobody else writes: at a fifth of the price. */
static inline u64 add_alone(u64 *word, u64 n)
{
	u64 before = __atomic_load_n(word, __ATOMIC_RELAXED);

	__atomic_store_n(word, before + n, __ATOMIC_RELAXED);
	return before;
}

/* ---- area.c ---- */

/* NULL while inert. */
extern struct app_area *area;

/* Facts of this process, on a page that the kernel clears in a child of any
 * kind of fork: epoch 0 means that nobody looked yet. A vfork child still
 * shares its parent's. */
struct process {
	u64 epoch; /* differs from parent's and child's */
	u32 pid;   /* 0: unknown, as seccomp forbids to ask */
	u32 pidns;
	bool raw; /* made by a bare system call: libc's thread number is its parent's */
};
extern struct process *process;

/* A call may do two accesses: read here, write there. */
#define CALL_ACCESSES 2

/* Where a thread's access in flight is written down, and where it is counted. */
struct place {
	struct app_thread *slot; /* NULL: none */
	struct row *rows;	 /* by operation */
	bool alone;		 /* no other thread adds to these rows */
};

struct self {
	void *frame;			    /* of the call in flight; NULL: none */
	u64 epoch;			    /* of the process that this state belongs to */
	bool known;			    /* has had a place in the area before */
	stack_t signal_stack;		    /* as it was when a seccomp filter came */
	struct place places[CALL_ACCESSES]; /* kept from call to call */
};
extern __thread struct self self;

/* Maps the area, once, when the first call comes or in the constructor. */
bool area_start(void);

/* Epoch of a thread that must not read the clock; see clock_forbid(). */
#define EPOCH_NO_CLOCK (~0ULL)

/* Renews @me, which belongs to the parent of this process; false: this thread's calls
 * cannot be counted. */
bool self_renew(struct self *me);

/* A place in the area with this thread's number; false: none is free. */
bool place_claim(struct place *p, struct self *me);
void place_free(struct place *p);

/* The next definition of a function after ours: libc's, or that of another
 * preloaded library. All are looked up in the constructor, as a signal handler
 * or a forked child must not wait for the dynamic linker's lock; a call that
 * comes before looks itself. */
struct next {
	void *function;
	const char *name;
};
void *next_find(struct next *n);

#define NEXT(symbol) \
	({ \
		static struct next next_row \
			__attribute__((section("next_functions"), used)) = { NULL, symbol }; \
		__atomic_load_n(&next_row.function, __ATOMIC_RELAXED) ?: next_find(&next_row); \
	})

/* ---- call.c ---- */

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

/* ---- sandbox.c ---- */

/* Seccomp filters of this program that refuse a system call of the library's. */
extern u32 filters_refusing;
/* A child may be in another pid namespace than this process. */
extern bool pidns_may_differ;

/* May the library make a system call? */
static inline bool may_call(void)
{
	return !__atomic_load_n(&filters_refusing, __ATOMIC_RELAXED);
}

/* ---- record.c ---- */

/* NULL: nobody records. */
extern struct record_lane *lanes;
extern u32 lanes_n; /* a power of two */

/* @a is over; TRACE_PART: it is given up, and counts no access. */
void record_access(const struct access *a, u64 bytes, u32 flags, u64 now);

/* ---- fd.c ---- */

/* A regular file or a block device, and not one of a pseudo file system? */
bool fd_counts(int fd);
/* Type, numbers, size and blocks of the file, as the kernel knows them. A file server is not asked,
 * as it may not answer. False: no such descriptor. */
struct statx;
bool fd_stat(int fd, struct statx *st);
/* Is a sync of @fd counted? As fd_counts(), and directories. */
bool fd_syncs(int fd);
/* Something else may be behind this number from now on. */
void fd_forget(int fd);
/* Looks at the descriptors that nobody looked at yet. */
void fds_look(void);

/* Which file is behind @fd: inode and device, or zeros. */
void fd_file(int fd, struct file_at *to);

/* The same of a stream; one without a descriptor is in memory, or calls functions
 * of the program's own. */
bool stream_counts(FILE *fp);

/* A call with one access, to descriptor @fd. */
static inline void call_fd(struct call *c, enum app_span op, int fd, u64 asked)
{
	if ((op == APP_SPAN_SYNC ? fd_syncs(fd) : fd_counts(fd)) && call_begin(c))
		call_access(c, op, fd, asked);
}

static inline void call_stream(struct call *c, enum app_span op, FILE *fp, u64 asked)
{
	if (stream_counts(fp) && call_begin(c))
		call_access(c, op, fileno_unlocked(fp), asked);
}

#endif
