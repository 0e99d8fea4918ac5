/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State of this process and its threads. The app area is memory in which libiospan counts calls,
 * and from which iospan reads the counters. A slot is an entry of the app area for one access in
 * flight. An epoch is a number that identifies a process. If a program calls vfork(), the child
 * runs on the memory of its parent until it executes a program or exits. */
#ifndef IOSPAN_PRELOAD_THREAD_H
#define IOSPAN_PRELOAD_THREAD_H

#include "preload/area.h"

/* Identity of this process. The kernel clears this memory in a forked child (MADV_WIPEONFORK). So
 * epoch 0 means that the process has no identity yet. But a child of vfork() sees the identity of
 * its parent, because it uses its parent's memory. */
struct process {
	/* identifies the process; its parent and its children have other numbers */
	u64 epoch;
	u32 pid;   /* pid of the process; 0: not known, because a seccomp filter forbids getpid() */
	u32 pidns; /* inode of the pid namespace; 0: unknown */
	/* true: a system call without libc made this process, so libc has a wrong thread id (the
	 * parent's) */
	bool raw;
};
extern struct process *process;

/* maximum number of accesses in a call; a call that copies from one file to another has two */
#define CALL_ACCESSES 2

/* A slot that a thread has reserved, and the counters of the accesses in the slot. */
struct claim {
	struct app_thread *slot; /* slot of the app area; NULL: the thread has none */
	struct row *rows;	 /* counters to which the thread adds, indexed by operation */
	bool exclusive;		 /* true if no other thread adds to these counters */
};

struct self {
	void *frame; /* stack frame of the call in flight, or NULL */
	/* epoch of the process to which this state belongs. A forked child inherits this value, but
	 * process->epoch is different there. */
	u64 epoch;
	u32 tid;	      /* thread id of a child of vfork(), otherwise 0 */
	bool known;	      /* true: the thread has reserved a slot before */
	stack_t signal_stack; /* signal stack that the program set by sigaltstack() */
	/* slots for the accesses of a call; they stay reserved for the next call */
	struct claim claims[CALL_ACCESSES];
};
extern __thread struct self self;

/* Sets up *process when the app area is mapped. Returns false on failure, such as lack of
 * memory. */
bool process_start(void);
/* weak, because libcs other than glibc do not have this function */
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *dso)
	__attribute__((weak));

/* Value of self.epoch in a thread in seccomp's strict mode. The thread must not read the clock, so
 * its calls are counted as lost. */
#define EPOCH_NO_CLOCK (~0ULL)

/* Value of process.epoch in a process that must not read the clock. No thread has this value as its
 * self.epoch, so all calls of the process are counted as lost. */
#define EPOCH_STOPPED (~2ULL)

/* Stops counting in this process and its children, because they can no longer read the clock: the
 * vDSO cannot read it, and a seccomp filter forbids clock_gettime(). */
void process_stop(void);

/* Value of self.epoch in a thread that has called vfork(), and so also in the child, which runs on
 * the parent's memory. */
#define EPOCH_LENT (~1ULL)

/* Returns true in a child of vfork(). In the parent, returns false, and restores the state from
 * before the vfork(). */
bool self_is_lent(struct self *me);

/* Returns true if state @me belongs to this process. Returns false if this is a forked child, which
 * has inherited the state. Call this only while @me has a call in flight. */
static inline bool self_is_current(const struct self *me)
{
	return me->epoch == process->epoch || (me->epoch == EPOCH_LENT && process->epoch);
}

/* Resets state @me if it belongs to another process, for instance after a fork. Returns false if
 * the calls of this thread cannot be counted, and counts this loss. */
bool self_renew(struct self *me);

/* Reserves a free slot of the app area for this thread. If there is none, counts a lost call
 * (no_slot) and returns false. */
bool slot_claim(struct claim *c, struct self *me);
void slot_release(struct claim *c);

#endif
