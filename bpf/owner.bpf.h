/* SPDX-License-Identifier: GPL-2.0-only */
/* Words of requests in the lines of their owners: see struct owner_line. */
#ifndef IOSPAN_OWNER_BPF_H
#define IOSPAN_OWNER_BPF_H

#include "bpf/maps.bpf.h"

extern struct owner_line owners[OWNER_LINES];

/* Gives request @what a word in the lines of @owner. @what: owner_request() or owner_entry().
 * Returns the index of the word; 0: no room. Global functions: the verifier walks each once. */
u32 owner_add(u64 owner, u64 what);
int owner_remove(u64 owner, u32 index);

/* The word has the address of an io_uring request. It is a multiple of 64, and its highest bits are
 * set, as in each kernel address. */
static __always_inline u64 owner_request(u64 address)
{
	return address << 7;
}

static __always_inline u64 owner_request_at(u64 word)
{
	return (s64)(word & ~OWNER_TAG) >> 7;
}

/* The word has the index of a libaio request in the pending table. */
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

/* Line @step of the lines that an owner may use; the first one is @home. */
static __always_inline struct owner_line *owner_line(u32 home, u32 step)
{
	return &owners[(home + step) & (OWNER_LINES - 1)];
}

/* Whether @l may have a word with @tag. A walk through the lines of an owner starts with this test,
 * which costs less than a look at each word. */
static __always_inline bool owner_line_may_have(struct owner_line *l, u64 tag)
{
#pragma unroll
	for (u32 i = 0; i < OWNER_WORDS - OWNER_HEAD; i++)
		if (!((*(volatile u64 *)&l->word[i] ^ tag) & OWNER_TAG))
			return true;
	return false;
}

/* A walk examines the lines in steps of OWNER_STEP, as a step costs as much as a line. */
#define OWNER_STEP 3
#define OWNER_STEPS ((1 + OWNER_REACH) / OWNER_STEP)
_Static_assert(OWNER_STEPS *OWNER_STEP == 1 + OWNER_REACH, "no line is left out");

#endif
