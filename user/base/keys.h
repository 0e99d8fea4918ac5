/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers for 64-bit keys: 0, 1, 2 ... in the order in which they are first seen. */
#ifndef IOSPAN_KEYS_H
#define IOSPAN_KEYS_H

#include "bpf/types.h"

/* Zeroes are an empty one. */
struct keys {
	u64 *of;     /* the key of each number */
	u32 *slots;  /* number and 1 at the place of its hash, or after; 0: free */
	u32 n, room; /* room: of slots, a power of two */
};

/* The number of @key. @most of them are given out; then it is @most for any other. */
u32 keys_number(struct keys *k, u64 key, u32 most);
void keys_release(struct keys *k);

#endif
