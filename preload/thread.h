/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This process, this thread, and the thread's slots in the app area. */
#ifndef IOSPAN_PRELOAD_THREAD_H
#define IOSPAN_PRELOAD_THREAD_H

#include "preload/area.h"

/* Identity of this process, on a page that the kernel clears in a child of every kind of fork
 * (MADV_WIPEONFORK). Epoch 0: not determined yet. A vfork child shares its parent's page. */
struct process {
	u64 epoch; /* differs from the parent's and from each child's */
	u32 pid;   /* 0: unknown, as a seccomp filter forbids getpid() */
	u32 pidns; /* inode of the pid namespace; 0: unknown */
	bool raw;  /* made by a bare system call, so libc still has the parent's thread id */
};
extern struct process *process;

/* A call that copies from one file to another is two accesses. */
#define CALL_ACCESSES 2

/* A slot of the area that a thread has claimed, and the rows in which it counts. */
struct claim {
	struct app_thread *slot; /* NULL: none */
	struct row *rows;	 /* by operation */
	bool exclusive;		 /* no other thread adds to these rows */
};

struct self {
	void *frame;			    /* of the call in flight; NULL: none */
	u64 epoch;			    /* of the process that this state belongs to */
	u32 tid;			    /* of a child of vfork(); 0 in all other threads */
	bool known;			    /* has claimed a slot before */
	stack_t signal_stack;		    /* that the program set by sigaltstack() */
	struct claim claims[CALL_ACCESSES]; /* kept from call to call */
};
extern __thread struct self self;

/* Call from area_start() only. False: out of memory. */
bool process_start(void);
/* Weak, as other libcs do not have it; see libc_is_known(). */
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *dso)
	__attribute__((weak));

/* Epoch of a thread that must not read the clock; see clock_forbid(). */
#define EPOCH_NO_CLOCK (~0ULL)

/* Epoch of a process that must not read the clock. No thread has it, so each of its calls is lost. */
#define EPOCH_STOPPED (~2ULL)

/* No thread of this process and its children may read the clock from now on. */
void process_stop(void);

/* Epoch of a thread that called vfork(), and of its child; see self_lend(). */
#define EPOCH_LENT (~1ULL)

/* Is this a child of vfork(), which runs on its parent's memory? */
bool self_is_lent(struct self *me);

/* Does @me belong to this process? Call only while a call of @me is in flight. */
static inline bool self_is_current(const struct self *me)
{
	return me->epoch == process->epoch || (me->epoch == EPOCH_LENT && process->epoch);
}

/* Renews @me if it still belongs to the parent of this process. Returns false if this thread's
 * calls cannot be counted, and counts the loss. */
bool self_renew(struct self *me);

/* Claims a free slot under this thread's id. If none is free, counts the loss, returns false. */
bool slot_claim(struct claim *c, struct self *me);
void slot_release(struct claim *c);

#endif
