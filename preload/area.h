/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The app area, this thread's slots in it, and the functions behind the interposed ones. */
#ifndef IOSPAN_PRELOAD_AREA_H
#define IOSPAN_PRELOAD_AREA_H

#include "preload/preload.h"

/* NULL while inert. */
extern struct app_area *area;

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
	struct row *rows;	 /* [operation] */
	bool exclusive;		 /* no other thread adds to these rows */
};

struct self {
	void *frame;	      /* stack frame of the call in flight; NULL: none */
	u64 epoch;	      /* of the process that this state belongs to */
	bool known;	      /* has claimed a slot before */
	stack_t signal_stack; /* signal stack when the program installed its last filter */
	struct claim claims[CALL_ACCESSES]; /* kept from call to call */
};
extern __thread struct self self;

/* Maps the area once, at the first call or in the constructor. True if this call mapped it. */
bool area_start(void);

/* Epoch of a thread that must not read the clock; see clock_forbid(). */
#define EPOCH_NO_CLOCK (~0ULL)

/* Renews @me if it still belongs to the parent of this process. Returns false if this thread's
 * calls cannot be counted, and counts the loss. */
bool self_renew(struct self *me);

/* Claims a free slot under this thread's id. If none is free, counts the loss, returns false. */
bool slot_claim(struct claim *c, struct self *me);
void slot_release(struct claim *c);

/* The next definition of an interposed function: libc's, or one of another preloaded library.
 * The constructor looks all of them up: dlsym() takes the dynamic linker's lock, which a signal
 * handler or a forked child must not wait for. A call before the constructor looks up its own. */
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
