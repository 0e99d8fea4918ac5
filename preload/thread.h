/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State of this process and of this thread, and the thread's slots in the app area. */
#ifndef IOSPAN_PRELOAD_THREAD_H
#define IOSPAN_PRELOAD_THREAD_H

#include "preload/area.h"

/* Identity of this process. It is on a page that the kernel clears in the child of each kind of
 * fork (MADV_WIPEONFORK); epoch 0 therefore means "not determined yet". A child of vfork()
 * shares its parent's page. */
struct process {
	u64 epoch; /* identifies the process: differs from those of its parent and children */
	u32 pid;   /* 0: unknown, because a seccomp filter forbids getpid() */
	u32 pidns; /* inode of the pid namespace; 0: unknown */
	/* true if a bare system call made the process, so libc still has the parent's thread id */
	bool raw;
};
extern struct process *process;

/* Maximum number of accesses in a call: a call that copies from one file to another is two. */
#define CALL_ACCESSES 2

/* A slot of the app area that a thread has claimed, and the rows in which the thread counts its
 * accesses. */
struct claim {
	struct app_thread *slot; /* NULL if the thread has no slot */
	struct row *rows;	 /* indexed by operation */
	bool exclusive;		 /* true if no other thread adds to these rows */
};

struct self {
	void *frame;			    /* stack frame of the call in flight, or NULL */
	u64 epoch;			    /* epoch of the process to which this belongs */
	u32 tid;			    /* thread id of a child of vfork(), otherwise 0 */
	bool known;			    /* true if the thread has claimed a slot before */
	stack_t signal_stack;		    /* signal stack that the program set by sigaltstack() */
	struct claim claims[CALL_ACCESSES]; /* the thread keeps its claims from call to call */
};
extern __thread struct self self;

/* Sets up the state of this process. Only area_start() calls this. Returns false if memory is
 * short. */
bool process_start(void);
/* The reference is weak because libcs other than glibc do not have this function; see
 * libc_is_known(). */
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *dso)
	__attribute__((weak));

/* Value of self.epoch in a thread that must not read the clock; see clock_forbid(). Its calls
 * are counted as lost. */
#define EPOCH_NO_CLOCK (~0ULL)

/* Value of process.epoch in a process that must not read the clock. No thread's epoch equals it,
 * so all calls of the process are counted as lost. */
#define EPOCH_STOPPED (~2ULL)

/* Stops counting in this process and its children: none of their threads may read the clock from
 * now on. */
void process_stop(void);

/* Value of self.epoch in a thread that called vfork(), and in the child that shares the thread's
 * memory; see self_lend(). */
#define EPOCH_LENT (~1ULL)

/* Returns true if this thread runs in a child of vfork(), on its parent's memory. Takes the
 * state back if the parent runs again. */
bool self_is_lent(struct self *me);

/* Returns true if the state @me belongs to this process and not to its parent. Call this only
 * while @me has a call in flight. */
static inline bool self_is_current(const struct self *me)
{
	return me->epoch == process->epoch || (me->epoch == EPOCH_LENT && process->epoch);
}

/* Resets @me if it still belongs to the parent of this process. Returns false if calls of this
 * thread cannot be counted; the loss is then counted in the app area. */
bool self_renew(struct self *me);

/* Claims a free slot of the app area under this thread's id. If none is free, counts the loss
 * and returns false. */
bool slot_claim(struct claim *c, struct self *me);
void slot_release(struct claim *c);

#endif
