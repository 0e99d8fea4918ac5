/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State of this process and its threads. The app area is memory in which libiospan counts calls,
 * and from which iospan reads the counters. A slot is an entry of the app area for one access in
 * flight. An epoch is a number that identifies a process. */
#ifndef IOSPAN_PRELOAD_THREAD_H
#define IOSPAN_PRELOAD_THREAD_H

#include "preload/area.h"

/* Identity of this process. It is on a page that the kernel clears in a forked child
 * (MADV_WIPEONFORK). So epoch 0 means that the identity is not determined yet. A child of vfork()
 * shares its parent's page. */
struct process {
	/* number that identifies the process; its parent and its children have other numbers */
	u64 epoch;
	u32 pid;   /* pid of the process; 0: not known, because a seccomp filter forbids getpid() */
	u32 pidns; /* inode of the pid namespace; 0: unknown */
	/* true: a system call without libc made this process, so libc still has the parent's thread
	 * id */
	bool raw;
};
extern struct process *process;

/* maximum number of accesses in a call: two, if it copies from one file to another */
#define CALL_ACCESSES 2

/* A slot that a thread has reserved, and the counters for the accesses in this slot. */
struct claim {
	struct app_thread *slot; /* slot of the app area; NULL: the thread has none */
	struct row *rows;	 /* counters to which the thread adds, indexed by operation */
	bool exclusive;		 /* true if no other thread adds to .rows */
};

struct self {
	void *frame; /* stack frame of the call in flight, or NULL */
	/* epoch of the process to which this state belongs; differs from process->epoch in a forked
	 * child, which inherits the state of its parent */
	u64 epoch;
	u32 tid;	      /* thread id of a child of vfork(), otherwise 0 */
	bool known;	      /* the thread has reserved a slot before */
	stack_t signal_stack; /* signal stack that the program set by sigaltstack() */
	/* slots for the accesses of a call; the thread keeps them from call to call */
	struct claim claims[CALL_ACCESSES];
};
extern __thread struct self self;

/* Sets up *process when the app area is mapped. Returns false on failure, for instance if memory is
 * short. */
bool process_start(void);
/* Weak, because libcs other than glibc do not have this function; see libc_is_known(). */
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *dso)
	__attribute__((weak));

/* Value of self.epoch in a thread that must not read the clock, because the thread is in seccomp's
 * strict mode. The calls of such a thread are counted as lost. */
#define EPOCH_NO_CLOCK (~0ULL)

/* Value of process.epoch in a process that must not read the clock (process_stop()). The value
 * differs from self.epoch of each thread, so all calls of the process are counted as lost. */
#define EPOCH_STOPPED (~2ULL)

/* Stops counting in this process and its children, because they can no longer read the clock. A
 * seccomp filter forbids clock_gettime(), and the vDSO cannot read the clock. */
void process_stop(void);

/* Value of self.epoch after the thread called vfork(). The child of vfork() has this value, too,
 * because the child shares the parent's memory. See self_lend(). */
#define EPOCH_LENT (~1ULL)

/* Returns true in a child of vfork(). In the parent, restores the state that was saved before
 * vfork(), and returns false. */
bool self_is_lent(struct self *me);

/* Returns true if state @me belongs to this process, and not to the parent that forked it. Call
 * this only while @me has a call in flight. */
static inline bool self_is_current(const struct self *me)
{
	return me->epoch == process->epoch || (me->epoch == EPOCH_LENT && process->epoch);
}

/* Resets state @me if it does not belong to this process, for instance after a fork. Returns false,
 * and counts the loss, if calls of this thread cannot be counted. */
bool self_renew(struct self *me);

/* Reserves a free slot of the app area for this thread. If no slot is free, counts a lost call
 * (no_slot) and returns false. */
bool slot_claim(struct claim *c, struct self *me);
void slot_release(struct claim *c);

#endif
