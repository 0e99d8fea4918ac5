/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State of this process and its threads, and the app area's slots for their calls in flight. */
#ifndef IOSPAN_PRELOAD_THREAD_H
#define IOSPAN_PRELOAD_THREAD_H

#include "preload/area.h"

/* Identity of this process, on a page that the kernel clears in a forked child (MADV_WIPEONFORK):
 * epoch 0 is "not determined yet". A child of vfork() shares it. */
struct process {
	u64 epoch; /* number that identifies the process: its parent and children have others */
	u32 pid;   /* 0: not known, because a seccomp filter forbids getpid() */
	u32 pidns; /* inode of the pid namespace; 0: unknown */
	/* made by a bare system call, so that libc still has the parent's thread id */
	bool raw;
};
extern struct process *process;

/* two, if a call copies from one file to another */
#define CALL_ACCESSES 2

/* A thread's slot of the app area, and the counters to which it adds its accesses. */
struct claim {
	struct app_thread *slot; /* NULL if the thread has no slot */
	struct row *rows;	 /* counters, indexed by operation */
	bool exclusive;		 /* true if no other thread adds to .rows */
};

struct self {
	void *frame; /* stack frame of the call in flight, or NULL */
	/* epoch of the process of this state, which a forked child inherits */
	u64 epoch;
	u32 tid;	      /* thread id of a child of vfork(), otherwise 0 */
	bool known;	      /* the thread has reserved a slot before */
	stack_t signal_stack; /* signal stack that the program set by sigaltstack() */
	/* for the accesses of a call; kept from call to call */
	struct claim claims[CALL_ACCESSES];
};
extern __thread struct self self;

/* Sets up *process for area_start(). Returns false if memory is short. */
bool process_start(void);
/* Weak, because libcs other than glibc do not have this function; see libc_is_known(). */
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *dso)
	__attribute__((weak));

/* self.epoch of a thread in seccomp's strict mode, which forbids the clock: its calls are lost */
#define EPOCH_NO_CLOCK (~0ULL)

/* process.epoch of a process that must not read the clock (process_stop()). It equals no thread's
 * epoch, so all its calls are lost. */
#define EPOCH_STOPPED (~2ULL)

/* Stops counting in this process and its children: a seccomp filter forbids clock_gettime(), and
 * the vDSO cannot read the clock. */
void process_stop(void);

/* self.epoch of a thread that called vfork(), and of the child; see self_lend(). */
#define EPOCH_LENT (~1ULL)

/* Returns true in a child of vfork(). In the parent, restores the state that self_lend() saved. */
bool self_is_lent(struct self *me);

/* Returns true if @me belongs to this process, not its parent. Call it only during a call. */
static inline bool self_is_current(const struct self *me)
{
	return me->epoch == process->epoch || (me->epoch == EPOCH_LENT && process->epoch);
}

/* Resets an inherited @me. Returns false, and counts the loss, if calls cannot be counted. */
bool self_renew(struct self *me);

/* Reserves a free slot for this thread, else counts a lost call (no_slot) and returns false. */
bool slot_claim(struct claim *c, struct self *me);
void slot_release(struct claim *c);

#endif
