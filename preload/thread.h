/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State of this process and its threads, and the slots of the app area for their calls in
 * flight. */
#ifndef IOSPAN_PRELOAD_THREAD_H
#define IOSPAN_PRELOAD_THREAD_H

#include "preload/area.h"

/* Identity of this process, on a page that the kernel clears in a forked child (MADV_WIPEONFORK):
 * epoch 0 is "not determined yet". A child of vfork() shares it. */
struct process {
	u64 epoch; /* differs from those of parent and children */
	u32 pid;   /* 0: a seccomp filter forbids getpid() */
	u32 pidns; /* 0: unknown */
	/* made by a bare system call, so that libc still has the parent's thread id */
	bool raw;
};
extern struct process *process;

/* two, if a call copies from one file to another */
#define CALL_ACCESSES 2

/* A thread's slot of the app area, and the counters to which it adds its accesses. */
struct claim {
	struct app_thread *slot; /* NULL: none */
	struct row *rows;	 /* per operation */
	bool exclusive;		 /* true if no other thread adds to .rows */
};

struct self {
	void *frame; /* stack frame of the call in flight, or NULL */
	/* epoch of the process of this state, which a forked child inherits */
	u64 epoch;
	u32 tid;	      /* of a child of vfork(), else 0 */
	bool known;	      /* the thread has reserved a slot before */
	stack_t signal_stack; /* set by sigaltstack() */
	/* for the accesses of a call; kept from call to call */
	struct claim claims[CALL_ACCESSES];
};
extern __thread struct self self;

/* Sets up *process for area_start(). Returns false if memory is short. */
bool process_start(void);
/* weak: only glibc has it; see libc_is_known() */
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *dso)
	__attribute__((weak));

/* self.epoch of a thread in seccomp's strict mode, which must not read the clock (clock_forbid()):
 * its calls are lost. */
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

/* Returns true if @me belongs to this process, not its parent. Call it only with a call in
 * flight. */
static inline bool self_is_current(const struct self *me)
{
	return me->epoch == process->epoch || (me->epoch == EPOCH_LENT && process->epoch);
}

/* Resets @me if it was inherited. Returns false if the thread's calls cannot be counted, and counts
 * that loss. */
bool self_renew(struct self *me);

/* Reserves a free slot for this thread. If there is none, counts a lost call (no_slot) and returns
 * false. */
bool slot_claim(struct claim *c, struct self *me);
void slot_release(struct claim *c);

#endif
