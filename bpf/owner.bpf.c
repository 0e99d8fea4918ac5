// SPDX-License-Identifier: GPL-2.0-only
/* Words of requests in the lines of their owners. */
#include "bpf/owner.bpf.h"

/* Lines that are tried when an owner's own is full. */
#define TRIES 8

struct owner_line owners[OWNER_LINES] = {};

/* Place of a word in line @line that is @word's now; 0: all have others. */
static __always_inline u32 take_word(u32 line, u64 word)
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
	u32 home = owner_home(owner), place = take_word(home, word);
	u32 first = owner_hash(what) >> 32; /* spreads what slabs keep together */

	for (u32 i = 0; i < TRIES && !place; i++) {
		place = take_word(home + 1 + ((first + i) & (OWNER_REACH - 1)), word);
		if (place)
			__sync_fetch_and_add(&owner_line(home, 0)->strayed, 1);
	}
	return place;
}

__noinline int owner_remove(u64 owner, u32 place)
{
	u32 home = owner_home(owner), line = place / OWNER_WORDS & (OWNER_LINES - 1);
	u32 i = place % OWNER_WORDS - OWNER_HEAD;

	if (i >= OWNER_WORDS - OWNER_HEAD)
		return 0;
	*(volatile u64 *)&owners[line].word[i] = 0;
	if (line != home)
		__sync_fetch_and_add(&owners[home].strayed, -1);
	return 0;
}
