/* SPDX-License-Identifier: GPL-2.0-only */
/* A hash table from an owner to its requests in flight. Each request has a word in a line of its
 * owner: see struct owner_line. */
#ifndef IOSPAN_OWNER_BPF_H
#define IOSPAN_OWNER_BPF_H

#include "bpf/maps.bpf.h"

extern struct owner_line owners[OWNER_LINES];

/* owner_add() gives request @what a word in the lines of @owner. @what is a result of
 * owner_request() or owner_entry(). It returns the index of the word, or 0 if there is no room.
 * owner_remove() frees the word. They are global functions, so that the verifier checks each only
 * once. */
u32 owner_add(u64 owner, u64 what);
int owner_remove(u64 owner, u32 index);

/* Returns the word of an io_uring request, which holds its address. The address is a multiple of
 * 64, and its highest bits are set, as in every kernel address. */
static __always_inline u64 owner_request(u64 address)
{
	return address << 7;
}

static __always_inline u64 owner_request_at(u64 word)
{
	return (s64)(word & ~OWNER_TAG) >> 7;
}

/* Returns the word of a libaio request or detached request, which holds its index in the pending
 * table. */
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

/* Returns the line that is @step lines after @home. @home is the first line that an owner may
 * use. */
static __always_inline struct owner_line *owner_line(u32 home, u32 step)
{
	return &owners[(home + step) & (OWNER_LINES - 1)];
}

/* Returns true if @l may have a word with @tag. A search through the lines of an owner makes this
 * test first, because it costs less than comparing word by word. */
static __always_inline bool owner_line_may_have(struct owner_line *l, u64 tag)
{
#pragma unroll
	for (u32 i = 0; i < OWNER_WORDS - OWNER_HEAD; i++)
		if (!((*(volatile u64 *)&l->word[i] ^ tag) & OWNER_TAG))
			return true;
	return false;
}

/* Number of lines that a search examines per callback of bpf_loop(). A callback costs as much as a
 * line, so it examines several. */
#define OWNER_STEP 3
#define OWNER_STEPS ((1 + OWNER_REACH) / OWNER_STEP)
_Static_assert(OWNER_STEPS *OWNER_STEP == 1 + OWNER_REACH, "no line is left out");

#endif
