/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists the requests in flight of an owner, with one 64-bit word per request in the hash table
 * owners[]. The owner is a process for libaio requests, and a pair of ring and user_data for
 * io_uring requests. An element of owners[] is a line of words (struct owner_line). A hash of the
 * owner selects a line. Each word has a part of this hash, the tag. */
#ifndef IOSPAN_OWNER_BPF_H
#define IOSPAN_OWNER_BPF_H

#include "bpf/maps.bpf.h"

extern struct owner_line owners[OWNER_LINES];

/* owner_add() adds a request of @owner to owners[], and returns the index of its word; 0: no room.
 * @what is the result of owner_request() or owner_entry() for the request. owner_remove() removes
 * the word. */
u32 owner_add(u64 owner, u64 what);
int owner_remove(u64 owner, u32 index);

/* Returns the word, still without its tag, of the io_uring request at @address. The low 6 bits of
 * the address are 0, because it is a multiple of 64. Its high 7 bits are 1, as in all kernel
 * addresses. So the shift frees 13 bits for the tag. */
static __always_inline u64 owner_request(u64 address)
{
	return address << 7;
}

static __always_inline u64 owner_request_at(u64 word)
{
	return (s64)(word & ~OWNER_TAG) >> 7;
}

/* Returns the word, still without its tag, of the request with index @at in the pending table. This
 * word is for a request that has no kernel address of its own: a libaio request, or an io_uring
 * request if a newer request has its address (ring_detach()). */
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

/* Returns the line that is @step lines after line @home; line 0 follows the last line. */
static __always_inline struct owner_line *owner_line(u32 home, u32 step)
{
	return &owners[(home + step) & (OWNER_LINES - 1)];
}

/* Returns true if line @l may have a word with @tag. This test is faster than examining each
 * word. */
static __always_inline bool owner_line_may_have(struct owner_line *l, u64 tag)
{
#pragma unroll
	for (u32 i = 0; i < OWNER_WORDS - OWNER_HEAD; i++)
		if (!((*(volatile u64 *)&l->word[i] ^ tag) & OWNER_TAG))
			return true;
	return false;
}

/* Number of lines of owners[] that one callback of bpf_loop() examines. A call costs as much as
 * examining a line, so one callback per line would double the cost. */
#define OWNER_STEP 3
#define OWNER_STEPS ((1 + OWNER_REACH) / OWNER_STEP)
_Static_assert(OWNER_STEPS *OWNER_STEP == 1 + OWNER_REACH, "no line is left out");

#endif
