/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives each 64-bit key a number: 0, 1, 2 ... in order of first use. */
#ifndef IOSPAN_KEYS_H
#define IOSPAN_KEYS_H

#include "bpf/types.h"

/* All zero: no keys. */
struct keys {
	u64 *of;     /* the key of each number */
	u32 *slots;  /* hash table with open addressing: number + 1; 0: free */
	u32 n, room; /* numbers given out; slots, a power of two */
};

/* Returns the number of @key; a new key gets the next one. When @most numbers are in use, every
 * new key gets @most. */
u32 keys_number(struct keys *k, u64 key, u32 most);
void keys_release(struct keys *k);

#endif
