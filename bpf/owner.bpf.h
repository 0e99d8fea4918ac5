/* SPDX-License-Identifier: GPL-2.0-only */
/* A hash table that lists the requests in flight of an owner: a process for libaio, or a pair of
 * ring and user_data for io_uring. See struct owner_line. */
#ifndef IOSPAN_OWNER_BPF_H
#define IOSPAN_OWNER_BPF_H

#include "bpf/maps.bpf.h"

extern struct owner_line owners[OWNER_LINES];

/* owner_add() adds @what to the list of @owner, and returns the index of its word in owners[], or 0
 * if there is no room. @what is a result of owner_request() or owner_entry(). owner_remove()
 * removes the word again. They are global functions, so that the verifier checks each only once. */
u32 owner_add(u64 owner, u64 what);
int owner_remove(u64 owner, u32 index);

/* Makes a word for owners[] that holds the address of an io_uring request. The address is a
 * multiple of 64, and its highest bits are set, as in every kernel address. So 13 bits for the tag
 * are free after the shift. */
static __always_inline u64 owner_request(u64 address)
{
	return address << 7;
}

static __always_inline u64 owner_request_at(u64 word)
{
	return (s64)(word & ~OWNER_TAG) >> 7;
}

/* Makes a word for owners[] that holds @at, the index of a libaio request or detached request
 * in the pending table. */
static __always_inline u64 owner_entry(u32 at)
{
	return (u64)(at + 1) << OWNER_TAG_BITS;
}

static __always_inline u32 owner_entry_at(u64 word)
{
	return (word >> OWNER_TAG_BITS) - 1;
}

static __always_inline bool owner_is_request(u64 word)
{
	return (s64)word < 0;
}

/* Returns the line of owners[] that is @step lines after @home, the first line of an owner.
 * The last line is followed by line 0. */
static __always_inline struct owner_line *owner_line(u32 home, u32 step)
{
	return &owners[(home + step) & (OWNER_LINES - 1)];
}

/* Returns true if line @l may have a word with @tag, a part of the owner's hash. A search tests
 * this first, because it costs less than comparing word by word. */
static __always_inline bool owner_line_may_have(struct owner_line *l, u64 tag)
{
#pragma unroll
	for (u32 i = 0; i < OWNER_WORDS - OWNER_HEAD; i++)
		if (!((*(volatile u64 *)&l->word[i] ^ tag) & OWNER_TAG))
			return true;
	return false;
}

/* Number of lines of owners[] that one callback of bpf_loop() examines. The call of the callback
 * costs as much as examining a line, so it examines several. */
#define OWNER_STEP 3
#define OWNER_STEPS ((1 + OWNER_REACH) / OWNER_STEP)
_Static_assert(OWNER_STEPS *OWNER_STEP == 1 + OWNER_REACH, "no line is left out");

#endif
