/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The layout of the files of b_eff_io (figure 1 of the paper), and the content of their chunks. Px
 * is a chunk of pattern x, r0 is rank 0:
 *
 *	type        files
 *	separated   one per rank:  |P0 P0|P1 P1 P1|P2 ...
 *	scatter,    one:           |P0r0 P0r1 P0r2 P0r0 P0r1 P0r2|P1r0 P1r1 P1r2 ...
 *	shared
 *	segmented,  one:           |rank 0: P0 P0|P1 P1 P1|...|filler|rank 1: ...
 *	seg_coll
 *
 * In a file, patterns follow each other in the order in which they run. A chunk is a sequence of
 * elements of 8 bytes. The first and the last element are stamps: they show the rank, pattern,
 * access method and number of the chunk. In revision 2.1, a stamp does not contain the rank and the
 * access method. The elements between the stamps are pseudo-random. */
#ifndef IOSPAN_BENCH_BEFF_LAYOUT_H
#define IOSPAN_BENCH_BEFF_LAYOUT_H

#include "bench/beff/pattern.h"

#define BEFF_RANKS 65534 /* largest number of ranks; a stamp has 16 bits for the rank */

/* The properties of a partition (a group of ranks) on which the layout of its files depends. */
struct beff_shape {
	unsigned ranks;
	u64 mpart, segment, filler;
	u64 repetitions[BEFF_PATTERNS];
};

/* beff_l() returns the bytes of a chunk in pattern @p (l in the b_eff_io paper). beff_call()
 * returns the bytes that one rank transfers in one I/O call (L). */
u64 beff_l(const struct beff_shape *s, unsigned p);
u64 beff_call(const struct beff_shape *s, unsigned p);
/* Returns the bytes that one rank transfers in pattern @p. */
u64 beff_bytes_of(const struct beff_shape *s, unsigned p);

/* Returns the offset in the file of chunk number @k of rank @rank in pattern @p. The offset depends
 * on the repetitions of the patterns that come earlier in the same file. */
u64 beff_offset(const struct beff_shape *s, unsigned p, unsigned rank, u64 k);
/* Returns the distance in bytes from the start of a rank's chunk to the start of its next chunk. */
u64 beff_stride(const struct beff_shape *s, unsigned p);

/* The writer of a chunk. The data of a chunk are computed from these fields. So a check detects
 * data of another writer. */
struct beff_owner {
	unsigned rank, pattern;
	enum beff_access access;
};

/* Make the data of a chunk that @o writes. beff_fill() fills the chunk with pseudo-random data.
 * beff_mark() then replaces the first and the last element by the stamps for chunk number @k. */
void beff_fill(struct beff_owner o, void *chunk, u64 bytes);
void beff_mark(struct beff_owner o, u64 k, void *chunk, u64 bytes);
/* Check the data of chunk number @k, which @o has written. beff_is_marked() checks only the stamps.
 * beff_is_whole() checks all data. */
bool beff_is_marked(struct beff_owner o, u64 k, const void *chunk, u64 bytes);
bool beff_is_whole(struct beff_owner o, u64 k, const void *chunk, u64 bytes);

/* Returns the stamp of chunk number @k: the stamp in its last element if @last is true, else the
 * stamp in its first element.
 *	bits 0..37 k   38..39 access   40..45 pattern   46 last element   48..63 rank + 1 */
static inline u64 beff_stamp(struct beff_owner o, u64 k, bool last)
{
	return (u64)(o.rank + 1) << 48 | (u64)last << 46 | (u64)o.pattern << 40 |
		(u64)o.access << 38 | (k & ((1ULL << 38) - 1));
}

#endif
