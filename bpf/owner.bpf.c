// SPDX-License-Identifier: GPL-2.0-only
/* Adds words to the hash table owners[], and removes words from it. A word stands for a request in
 * flight. The table finds all requests of one owner: a process, or a pair of io_uring ring and
 * user_data (owner.bpf.h). Each element of owners[] is a line of several words. */
#include "bpf/owner.bpf.h"

/* number of further lines that owner_add() tries if the owner's own line is full */
#define TRIES 8

struct owner_line owners[OWNER_LINES] = {};

/* Writes @word to a free place in owners[@line]. Returns the index of the place in owners[]; 0: the
 * line is full. */
static __always_inline u32 claim_word(u32 line, u64 word)
{
	struct owner_line *l = owner_line(line, 0);

	for (u32 i = 0; i < OWNER_WORDS - OWNER_HEAD; i++)
		if (!*(volatile u64 *)&l->word[i] &&
		    !__sync_val_compare_and_swap(&l->word[i], 0, word))
			return (line & (OWNER_LINES - 1)) * OWNER_WORDS + OWNER_HEAD + i;
	return 0;
}

__noinline u32 owner_add(u64 owner, u64 what)
{
	u64 word = what | owner_tag(owner);
	u32 home = owner_home(owner), index = claim_word(home, word);
	/* If the owner's own line is full, a hash of the request selects further lines. So the
	 * words of one owner are spread over many lines. */
	u32 first = owner_hash(what) >> 32;

	for (u32 i = 0; i < TRIES && !index; i++) {
		index = claim_word(home + 1 + ((first + i) & (OWNER_REACH - 1)), word);
		if (index)
			__sync_fetch_and_add(&owner_line(home, 0)->strayed, 1);
	}
	return index;
}

__noinline int owner_remove(u64 owner, u32 index)
{
	u32 home = owner_home(owner), line = index / OWNER_WORDS & (OWNER_LINES - 1);
	u32 i = index % OWNER_WORDS - OWNER_HEAD;

	if (i >= OWNER_WORDS - OWNER_HEAD)
		return 0;
	*(volatile u64 *)&owners[line].word[i] = 0;
	if (line != home)
		__sync_fetch_and_add(&owners[home].strayed, -1);
	return 0;
}
