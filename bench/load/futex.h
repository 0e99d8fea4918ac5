/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lets processes sleep and wake each other by a futex in memory that they share. */
#ifndef IOSPAN_BENCH_FUTEX_H
#define IOSPAN_BENCH_FUTEX_H

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bpf/types.h"

/* Sleeps until futex_wake_all(@word) is called, or for at most the duration @most (NULL: no limit).
 * Returns at once if *@word is not @value. May also return earlier, so the caller must check *@word
 * again. */
static inline void futex_sleep_while(const u32 *word, u32 value, const struct timespec *most)
{
	syscall(SYS_futex, word, FUTEX_WAIT, value, most, NULL, 0);
}

static inline void futex_wake_all(const u32 *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

#endif
