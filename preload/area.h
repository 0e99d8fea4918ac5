/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The app area, the places in it, and the functions that the library calls in its turn. */
#ifndef IOSPAN_PRELOAD_AREA_H
#define IOSPAN_PRELOAD_AREA_H

#include "preload/preload.h"

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

#endif
