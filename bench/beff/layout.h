/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layout of the files of b_eff_io (paper, figure 1), and the content of their chunks.
 *
 *	type        files
 *	separated   one per rank:  |P0 P0|P1 P1 P1|P2 ...
 *	scatter,    one:           |P0r0 P0r1 P0r2 P0r0 P0r1 P0r2|P1r0 P1r1 P1r2 ...
 *	shared
 *	segmented,  one:           |rank 0: P0 P0|P1 P1 P1|...|filler|rank 1: ...
 *	seg_coll
 *
 * Patterns lie in the order in which they run. The first and the last element (8 bytes) of a chunk
 * are stamps. The elements between are pseudo-random, with one sequence per rank, pattern and
 * access method. Revision 2.1 has stamps without rank and access method. */
#ifndef IOSPAN_BENCH_BEFF_LAYOUT_H
#define IOSPAN_BENCH_BEFF_LAYOUT_H

#include "bench/beff/pattern.h"

#define BEFF_RANKS 65534 /* most ranks; the stamps limit their number */

/* The properties of a partition that determine its files. */
struct beff_shape {
	unsigned ranks;
	u64 mpart, segment, filler;
	u64 repetitions[BEFF_PATTERNS];
};

/* Return l and L of pattern @p: the bytes of a chunk and of a call. */
u64 beff_l(const struct beff_shape *s, unsigned p);
u64 beff_call(const struct beff_shape *s, unsigned p);
/* One rank's bytes of pattern @p, and of the patterns of the same type before it. */
u64 beff_bytes_of(const struct beff_shape *s, unsigned p);
u64 beff_bytes_before(const struct beff_shape *s, unsigned p);

/* Offset of chunk @k of @rank in its file. Uses only the repetitions of the patterns of the same
 * type up to @p. */
u64 beff_offset(const struct beff_shape *s, unsigned p, unsigned rank, u64 k);
/* Distance between a rank's chunks. */
u64 beff_stride(const struct beff_shape *s, unsigned p);

/* The owner of a chunk. */
struct beff_owner {
	unsigned rank, pattern;
	enum beff_access access; /* BEFF_WRITE or BEFF_REWRITE */
};

/* Writes the random content of a chunk, and the stamps of chunk @k. */
void beff_fill(struct beff_owner o, void *chunk, u64 bytes);
void beff_mark(struct beff_owner o, u64 k, void *chunk, u64 bytes);
/* Has @chunk the stamps of chunk @k? Also its content? */
bool beff_is_marked(struct beff_owner o, u64 k, const void *chunk, u64 bytes);
bool beff_is_whole(struct beff_owner o, u64 k, const void *chunk, u64 bytes);

/* A stamp:
 *	bits 0..37 k   38..39 access   40..45 pattern   46 last element   48..63 rank + 1 */
static inline u64 beff_stamp(struct beff_owner o, u64 k, bool last)
{
	return (u64)(o.rank + 1) << 48 | (u64)last << 46 | (u64)o.pattern << 40 |
		(u64)o.access << 38 | (k & ((1ULL << 38) - 1));
}

#endif
