// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests where b_eff_io puts each rank's chunks in a file. A rank is a process, and a chunk is a
 * contiguous piece of data that it writes. A pattern is a series of calls with one chunk size; its
 * type arranges the chunks in the file. A stamp is a word that contains the owner (the writer) of
 * the chunk. */
#include <stdlib.h>
#include <string.h>
#include "bench/beff/layout.h"
#include "tests/lib/harness.h"

#define M (1ULL << 20)

static struct beff_shape shape_of(unsigned ranks)
{
	struct beff_shape s = { .ranks = ranks, .mpart = 2 * M };

	for (unsigned p = 0; p < BEFF_PATTERNS; p++)
		s.repetitions[p] = 1 + p % 3;
	beff_segment(s.repetitions, s.mpart, &s.segment, &s.filler);
	return s;
}

static unsigned first_of(enum beff_type type)
{
	return beff_find(type, BEFF_FIRST);
}

/* Checks a pattern type as the paper defines it: the file has one chunk of each rank in turn. */
static u64 expect_interleaved(const struct beff_shape *s, enum beff_type type)
{
	u64 at = 0;

	for (unsigned p = first_of(type); beff_patterns[p].type == type; p++) {
		u64 l = beff_l(s, p), chunks = beff_call(s, p) / l * s->repetitions[p];

		for (u64 k = 0; k < chunks; k++)
			for (unsigned rank = 0; rank < s->ranks; rank++, at += l)
				EXPECT_EQ(beff_offset(s, p, rank, k), at);
	}
	return at;
}

static u64 expect_in_a_row(const struct beff_shape *s, enum beff_type type, unsigned rank, u64 at)
{
	for (unsigned p = first_of(type); p < BEFF_PATTERNS && beff_patterns[p].type == type; p++)
		for (u64 k = 0; k < s->repetitions[p]; k++, at += beff_l(s, p))
			EXPECT_EQ(beff_offset(s, p, rank, k), at);
	return at;
}

TEST(every_byte_has_one_owner)
{
	static const unsigned ranks[] = { 1, 2, 3, 4, 7 };

	for (int i = 0; i < 5; i++) {
		struct beff_shape s = shape_of(ranks[i]);
		u64 three = 0, four = 0;

		expect_interleaved(&s, BEFF_SCATTER);
		expect_interleaved(&s, BEFF_SHARED);
		for (unsigned rank = 0; rank < s.ranks; rank++) {
			expect_in_a_row(&s, BEFF_SEPARATED, rank, 0);
			three = expect_in_a_row(&s, BEFF_SEGMENTED, rank, three);
			four = expect_in_a_row(&s, BEFF_SEG_COLL, rank, four);
		}
		EXPECT_EQ(three, s.ranks * s.segment);
		EXPECT_EQ(four, s.ranks * s.segment);
	}
}

/* An offset depends only on patterns that come earlier in the file, so a change of later patterns
 * must not move it. */
TEST(later_patterns_move_nothing)
{
	struct beff_shape s = shape_of(3), other;
	unsigned p = beff_find(BEFF_SHARED, BEFF_32K);

	other = s;
	other.repetitions[p] = other.repetitions[p + 1] = 0;
	other.repetitions[beff_find(BEFF_SCATTER, BEFF_MPART)] = 77;
	EXPECT_EQ(beff_offset(&other, p, 2, 5), beff_offset(&s, p, 2, 5));
}

static const struct beff_owner owner = { .rank = 6, .pattern = 12, .access = BEFF_REWRITE };

static u64 *new_chunk(struct beff_owner o, u64 k, u64 bytes)
{
	u64 *chunk = malloc(bytes ? bytes : 1);

	beff_fill(o, chunk, bytes);
	beff_mark(o, k, chunk, bytes);
	return chunk;
}

TEST(a_chunk_is_what_was_written)
{
	static const u64 sizes[] = { 0, 8, 16, 1024, 1032 };

	for (int i = 0; i < 5; i++) {
		u64 *chunk = new_chunk(owner, 123456789, sizes[i]);

		EXPECT_TRUE(beff_is_marked(owner, 123456789, chunk, sizes[i]));
		EXPECT_TRUE(beff_is_whole(owner, 123456789, chunk, sizes[i]));
		free(chunk);
	}
}

/* A chunk has a stamp at its start and at its end, which names its owner. Changes one field of the
 * owner at a time. The check of the two stamps must notice each change. */
TEST(a_chunk_of_another_owner_is_detected)
{
	struct beff_owner others[] = { owner, owner, owner };
	u64 *chunk = new_chunk(owner, 9, 1024);

	others[0].rank = 5;
	others[1].pattern = 13;
	others[2].access = BEFF_WRITE;
	for (int i = 0; i < 3; i++)
		EXPECT_TRUE(!beff_is_marked(others[i], 9, chunk, 1024));
	EXPECT_TRUE(!beff_is_marked(owner, 8, chunk, 1024));
	memset(chunk, 0, 1024);
	EXPECT_TRUE(!beff_is_marked((struct beff_owner){}, 0, chunk, 1024));
	free(chunk);
}

TEST(half_a_chunk_is_detected)
{
	u64 *chunk = new_chunk(owner, 9, 1024), *before = new_chunk(owner, 8, 1024);

	memcpy(chunk + 64, before + 64, 512);
	EXPECT_TRUE(!beff_is_marked(owner, 9, chunk, 1024));
	memcpy(chunk, before, 1024);
	beff_mark(owner, 9, chunk, 1024);
	memcpy(chunk, before, 512);
	EXPECT_TRUE(!beff_is_marked(owner, 9, chunk, 1024));
	free(chunk);
	free(before);
}

/* The check of the two stamps cannot find a wrong byte between them. The check of all bytes must
 * find it. */
TEST(any_wrong_byte_is_detected)
{
	u64 *chunk = new_chunk(owner, 9, 1032);

	for (int i = 0; i < 1032; i++) {
		((unsigned char *)chunk)[i] ^= 0x10;
		EXPECT_TRUE(!beff_is_whole(owner, 9, chunk, 1032));
		((unsigned char *)chunk)[i] ^= 0x10;
	}
	EXPECT_TRUE(beff_is_whole(owner, 9, chunk, 1032));
	free(chunk);
}

/* Compares each byte of a stamp with the format in the comment of beff_stamp(). */
TEST(stamps_have_the_documented_format)
{
	const struct beff_owner o = { .rank = 2, .pattern = 33, .access = BEFF_REWRITE };

	EXPECT_EQ(beff_stamp(o, 5, false), 0x0003214000000005ULL);
	EXPECT_EQ(beff_stamp(o, 5, true), 0x0003614000000005ULL);
}

TEST_MAIN
