/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Seccomp filters of the program, and whether libiospan may still make system calls. */
#ifndef IOSPAN_PRELOAD_SANDBOX_H
#define IOSPAN_PRELOAD_SANDBOX_H

#include "preload/preload.h"

/* Number of filters in force that refuse a system call of libiospan. */
extern u32 filters_refusing;
/* True if the program has called unshare() or setns(), so that a child may be in another pid
 * namespace. */
extern bool pidns_may_differ;

static inline bool may_syscall(void)
{
	return !__atomic_load_n(&filters_refusing, __ATOMIC_RELAXED);
}

#endif
