// SPDX-License-Identifier: GPL-2.0-or-later
/* Lets processes wait for each other. */
#include "bench/load/barrier.h"

/* A process that dies does not wake the processes that wait at the barrier. So a waiting process
 * calls is_lost() at this interval, in ns, to notice dead processes. */
#define LOOK_NS 50000000

static u32 load_word(const u32 *word)
{
	return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

bool barrier_wait(struct barrier *b, u32 all, bool (*is_lost)(const void *), const void *arg)
{
	const struct timespec look = { .tv_nsec = LOOK_NS };
	u32 generation = load_word(&b->generation);

	if (__atomic_add_fetch(&b->arrived, 1, __ATOMIC_SEQ_CST) == all) {
		b->arrived = 0;
		__atomic_add_fetch(&b->generation, 1, __ATOMIC_SEQ_CST);
		futex_wake_all(&b->generation);
		return true;
	}
	while (load_word(&b->generation) == generation) {
		if (is_lost && is_lost(arg) && load_word(&b->generation) == generation)
			return false;
		futex_sleep_while(&b->generation, generation, is_lost ? &look : NULL);
	}
	return true;
}
