// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares the patterns of b_eff_io with the paper and revision 2.1. A pattern is a series of calls
 * with one chunk size. Its type (scatter, shared, separated ...) arranges the chunks of the
 * processes in the files. In the last two types, each process has a segment of the file, and a
 * filler fills the rest of the segment. */
#include "bench/beff/pattern.h"
#include "tests/lib/harness.h"

#define K 1024ULL
#define M (1024 * K)
/* The paper's M_PART, the largest chunk size. A run computes it from the size of the memory. In
 * these tests, it only has to differ from all other sizes. */
#define MPART (3 * M)

/* Table 1 of the paper, in the order of revision 2.1, without fillers. l: bytes of a chunk. L:
 * bytes of a call. u: the paper's U, units of time. */
static const struct row {
	u64 l, L;
	unsigned u;
} scatter[] = {
	{ M, M, 0 }, { MPART, MPART, 4 }, { M, 2 * M, 4 }, { M, M, 4 }, { 32 * K, M, 2 },
	{ K, M, 2 }, { 32 * K + 8, M + 256, 2 }, { K + 8, M + 8 * K, 2 }, { M + 8, M + 8, 2 },
}, shared[] = {
	{ M, M, 0 }, { MPART, MPART, 4 }, { M, M, 2 }, { 32 * K, 32 * K, 1 }, { K, K, 1 },
	{ 32 * K + 8, 32 * K + 8, 1 }, { K + 8, K + 8, 1 }, { M + 8, M + 8, 2 },
}, separated[] = {
	{ M, M, 0 }, { MPART, MPART, 2 }, { M, M, 2 }, { 32 * K, 32 * K, 1 }, { K, K, 1 },
	{ 32 * K + 8, 32 * K + 8, 1 }, { K + 8, K + 8, 1 }, { M + 8, M + 8, 2 },
};

static unsigned expect_rows(enum beff_type type, unsigned p, const struct row *rows, unsigned n)
{
	for (unsigned i = 0; i < n; i++, p++) {
		u64 l = beff_chunk_bytes(beff_patterns[p].chunk, MPART, 0);

		EXPECT_EQ(beff_patterns[p].type, type);
		EXPECT_EQ(l, rows[i].l);
		EXPECT_EQ(l * beff_chunks_in_call(&beff_patterns[p]), rows[i].L);
		EXPECT_EQ(beff_patterns[p].units, rows[i].u);
	}
	return p;
}

static unsigned expect_filler(enum beff_type type, unsigned p)
{
	EXPECT_EQ(beff_patterns[p].type, type);
	EXPECT_EQ(beff_patterns[p].chunk, BEFF_FILLER);
	EXPECT_EQ(beff_chunk_bytes(BEFF_FILLER, MPART, 12344), 12344);
	EXPECT_EQ(beff_patterns[p].units, 0);
	return p + 1;
}

#define ROWS(rows) rows, sizeof(rows) / sizeof(*(rows))

TEST(patterns_are_those_of_table_1)
{
	unsigned p = expect_rows(BEFF_SCATTER, 0, ROWS(scatter));

	p = expect_rows(BEFF_SHARED, p, ROWS(shared));
	p = expect_rows(BEFF_SEPARATED, p, ROWS(separated));
	p = expect_filler(BEFF_SEGMENTED, expect_rows(BEFF_SEGMENTED, p, ROWS(separated)));
	p = expect_filler(BEFF_SEG_COLL, expect_rows(BEFF_SEG_COLL, p, ROWS(separated)));
	EXPECT_EQ(p, 43);
	EXPECT_EQ(p, BEFF_PATTERNS);
}

TEST(units_add_up)
{
	static const unsigned sums[] = { 22, 12, 10, 10, 10 };
	unsigned all = 0;

	for (enum beff_type t = 0; t < BEFF_TYPES; t++) {
		EXPECT_EQ(beff_type_units(t), sums[t]);
		all += beff_type_units(t);
	}
	EXPECT_EQ(all, 64);
	/* the whole is 150 units of time: 64 for writing, 22 for rewriting (only the type scatter)
	 * and 64 for reading */
	EXPECT_EQ(beff_units(false), 150);
	EXPECT_EQ(beff_units(true), 192);
	EXPECT_EQ(beff_access_units(BEFF_WRITE, false), 64);
	EXPECT_EQ(beff_access_units(BEFF_REWRITE, false), 22);
	EXPECT_EQ(beff_access_units(BEFF_REWRITE, true), 64);
}

TEST(the_largest_chunk_depends_on_the_memory)
{
	EXPECT_EQ(beff_mpart(0), 2 * M);
	EXPECT_EQ(beff_mpart(256 * M), 2 * M);
	EXPECT_EQ(beff_mpart(257 * M), 2 * M + 8 * K);
	EXPECT_EQ(beff_mpart(258 * M - 1), 2 * M + 8 * K);
	EXPECT_EQ(beff_mpart(8192 * M), 64 * M);
	EXPECT_EQ(beff_mpart(131072 * M), 1024 * M);
	EXPECT_EQ(beff_mpart(1048576 * M), 1024 * M);
}

/* From the help of b_eff_io revision 2.1. A partition is a group of processes that runs the
 * benchmark. {a, b}: on a system with at least a processes, this partition has b processes. */
static const unsigned small[][2] = { { 1, 1 },	 { 4, 2 },     { 20, 4 },
				     { 142, 8 }, { 1024, 16 }, { 4523, 0 } };
static const unsigned medium[][2] = {
	{ 1, 1 },   { 2, 2 },	 { 4, 3 },     { 5, 4 },      { 12, 8 },   { 32, 16 },
	{ 87, 32 }, { 232, 64 }, { 625, 128 }, { 1681, 256 }, { 4523, 0 },
};

static unsigned look_up(const unsigned table[][2], unsigned size)
{
	while (table[1][0] <= size)
		table++;
	return table[0][1];
}

TEST(partitions_of_a_system)
{
	for (unsigned size = 1; size <= 4522; size++) {
		unsigned n[BEFF_SIZES], found = beff_sizes(size, n), at = 0;
		unsigned want[] = { look_up(small, size), look_up(medium, size), size };

		for (int i = 0; i < 3; i++)
			if (!i || want[i] != want[i - 1])
				ASSERT_EQ(n[at++], want[i]);
		ASSERT_EQ(found, at);
	}
}

/* A segment has a limit for the number of chunks of each size. It is the smallest of three numbers,
 * which follow from the repetitions of types 0, 1 and 2. In this test, each type gives the smallest
 * number for some chunk size. */
TEST(segments_hold_what_the_other_types_did)
{
	/* The repetitions of the patterns of types 0, 1 and 2. The patterns of a type are: the
	 * first pattern, and the chunk sizes MPART, 2M (only type 0), 1M, 32k, 1k, 32k+8, 1k+8,
	 * 1M+8. */
	u64 n[BEFF_PATTERNS] = {
		1, 3,	99,   7, 2, 1, 5, 4,   6,   1,	1,    2,   100,
		5, 100, 1000, 1, 1, 9, 8, 300, 900, 11, 9000, 500,
	};
	/* The expected numbers of chunks: of the first pattern, then of the sizes MPART, 1M, 32k,
	 * 1k, 32k+8, 1k+8, 1M+8, then of the filler. For example, types 0, 1 and 2 limit the chunks
	 * of 32k to 64 (2 * 32), 1000 (10 * 100) and 300; the smallest number is 64. */
	static const u64 want[] = {
		1, 3, 7, 64, 50, 11, 4096, 6, 1,
	};
	u64 segment, filler, used = 0;

	beff_segment(n, MPART, &segment, &filler);
	for (int i = 0; i < 9; i++) {
		EXPECT_EQ(n[25 + i], want[i]);
		EXPECT_EQ(n[34 + i], want[i]);
	}
	for (int i = 0; i < 8; i++)
		used += want[i] * separated[i].l;
	EXPECT_EQ(used, 30853256);
	EXPECT_EQ(segment, 30 * M);
	EXPECT_EQ(filler, 30 * M - used);
}

TEST(a_segment_may_need_no_filler)
{
	u64 n[BEFF_PATTERNS] = {}, segment, filler;

	for (int i = 0; i < 25; i++)
		n[i] = 1;
	for (int i = 0; i < 3; i++)
		n[4 + i] = n[5 + i] = 0; /* patterns with odd chunk sizes did not run */
	n[8] = 0;
	beff_segment(n, MPART, &segment, &filler);
	EXPECT_EQ(segment, 5 * M);
	EXPECT_EQ(filler, 0);
}

TEST_MAIN
