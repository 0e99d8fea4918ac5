// SPDX-License-Identifier: GPL-2.0-or-later
#include "barrier.h"

#include "futex.h"

#define LOOK_NS 50000000	/* at the order: who changes it wakes others only */

static u32 now(const u32 *word)
{
	return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

bool barrier_wait(struct barrier *b, u32 all, const u32 *order, u32 value)
{
	const struct timespec look = { .tv_nsec = LOOK_NS };
	u32 generation = now(&b->generation);

	if (__atomic_add_fetch(&b->arrived, 1, __ATOMIC_SEQ_CST) == all) {
		b->arrived = 0;
		__atomic_add_fetch(&b->generation, 1, __ATOMIC_SEQ_CST);
		futex_wake_all(&b->generation);
		return true;
	}
	while (now(&b->generation) == generation) {
		if (order && now(order) != value)
			return false;
		futex_sleep_while(&b->generation, generation, order ? &look : NULL);
	}
	return true;
}
