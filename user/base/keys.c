// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers 64-bit keys by a hash table with open addressing and linear probing. */
#include "user/base/keys.h"

#include <stdlib.h>

#include "user/base/err.h"

#define ROOM_LEAST 64

/* Returns the element of the hash table that holds @key. If there is none, returns the free element
 * where @key is to be inserted. Uses Fibonacci hashing: Knuth, The Art of Computer Programming,
 * volume 3, section 6.4. */
static u32 *slot_of(const struct keys *k, u64 key)
{
	u32 at = (key ^ key >> 32) * 0x9e3779b97f4a7c15ULL >> 32 & (k->room - 1);

	while (k->slots[at] && k->of[k->slots[at] - 1] != key)
		at = (at + 1) & (k->room - 1);
	return &k->slots[at];
}

static void grow_table(struct keys *k)
{
	k->room = k->room ? 2 * k->room : ROOM_LEAST;
	k->of = need(reallocarray(k->of, k->room / 2, sizeof(*k->of)));
	free(k->slots);
	k->slots = need(calloc(k->room, sizeof(*k->slots)));
	for (u32 i = 0; i < k->n; i++)
		*slot_of(k, k->of[i]) = i + 1;
}

u32 keys_number(struct keys *k, u64 key, u32 most)
{
	u32 *slot;

	if (2 * (u64)k->n >= k->room)
		grow_table(k);
	slot = slot_of(k, key);
	if (!*slot) {
		if (k->n == most)
			return most;
		k->of[k->n++] = key;
		*slot = k->n;
	}
	return *slot - 1;
}

void keys_release(struct keys *k)
{
	free(k->of);
	free(k->slots);
}
