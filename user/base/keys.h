/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers 64-bit keys: the first new key gets 0, the next one 1, and so on. */
#ifndef IOSPAN_KEYS_H
#define IOSPAN_KEYS_H

#include "bpf/types.h"

/* A set of keys and their numbers. If all fields are zero, the set is empty. */
struct keys {
	u64 *of; /* of[i]: the key with number i */
	/* hash table with open addressing; an element is the number of a key, plus 1; 0: free */
	u32 *slots;
	u32 n, room; /* .n: number of keys. .room: size of .slots, a power of two. */
};

/* Returns the number of @key. A new key gets the next number. If @most keys already have numbers,
 * returns @most for a new key, and does not store it. */
u32 keys_number(struct keys *k, u64 key, u32 most);
void keys_release(struct keys *k);

#endif
