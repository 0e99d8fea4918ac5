/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lets processes wait for each other, by words in memory that they share: futexes and barriers. */
#ifndef IOSPAN_BENCH_BARRIER_H
#define IOSPAN_BENCH_BARRIER_H

#include <limits.h>
#include <linux/futex.h>
#include <stdbool.h>
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

struct barrier {
	/* .arrived: number of processes that wait now. .generation: how often all processes have
	 * met at this barrier. */
	u32 arrived, generation;
};

/* Waits until @all processes have called this function, and returns true. A waiting process calls
 * @is_lost(@arg) at intervals. If @is_lost returns true, another process has died and will never
 * arrive, so the wait ends and returns false. @is_lost may be NULL. */
bool barrier_wait(struct barrier *b, u32 all, bool (*is_lost)(const void *), const void *arg);

#endif
