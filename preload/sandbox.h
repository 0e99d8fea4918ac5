/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows the program's seccomp filters, so that libiospan makes no forbidden system call. */
#ifndef IOSPAN_PRELOAD_SANDBOX_H
#define IOSPAN_PRELOAD_SANDBOX_H

#include "preload/preload.h"

/* number of installed seccomp filters that forbid one of libiospan's system calls */
extern u32 filters_refusing;
/* true: the program has called unshare() or setns(), so children may be in another pid namespace */
extern bool pidns_may_differ;

static inline bool may_syscall(void)
{
	return !__atomic_load_n(&filters_refusing, __ATOMIC_RELAXED);
}

#endif
