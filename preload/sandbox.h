/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Seccomp filters that forbid system calls of the library. */
#ifndef IOSPAN_PRELOAD_SANDBOX_H
#define IOSPAN_PRELOAD_SANDBOX_H

#include "preload/preload.h"

/* Seccomp filters of this program that refuse a system call of the library's. */
extern u32 filters_refusing;
/* A child may be in another pid namespace than this process. */
extern bool pidns_may_differ;

/* May the library make a system call? */
static inline bool may_call(void)
{
	return !__atomic_load_n(&filters_refusing, __ATOMIC_RELAXED);
}

#endif
