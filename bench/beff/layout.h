/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of b_eff_io hold, byte by byte.
 *
 *	separated   rank 0:  |P0 P0|P1 P1 P1|P2 ...       and so each rank's
 *	scatter,    one:     |P0r0 P0r1 P0r2 P0r0 P0r1 P0r2|P1r0 P1r1 P1r2 ...
 *	shared
 *	segmented,  one:     |rank 0: P0 P0|P1 P1 P1|...|filler|rank 1: ...
 *	seg_coll
 *
 * Patterns follow one another as they are run. A chunk is stamped in its first and its last
 * element; between them all is from one random sequence for each rank, pattern and access
 * method. An element has eight bytes. */
#ifndef IOSPAN_BENCH_BEFF_LAYOUT_H
#define IOSPAN_BENCH_BEFF_LAYOUT_H

#include "bench/beff/pattern.h"

#define BEFF_RANKS 65534 /* at most: stamps have room for no more */

/* A partition, as far as its files depend on it. */
struct beff_shape {
	unsigned ranks;
	u64 mpart, segment, filler;
	u64 repetitions[BEFF_PATTERNS];
};

/* l and L of pattern @p; and what it and those of its type before it have of one rank. */
u64 beff_l(const struct beff_shape *s, unsigned p);
u64 beff_call(const struct beff_shape *s, unsigned p);
u64 beff_bytes_of(const struct beff_shape *s, unsigned p);
u64 beff_bytes_before(const struct beff_shape *s, unsigned p);

/* Where chunk @k of @rank lies in its file. Another pattern's repetitions count only if it is
 * of the same type and before @p. */
u64 beff_offset(const struct beff_shape *s, unsigned p, unsigned rank, u64 k);
/* The distance of a rank's chunks. */
u64 beff_stride(const struct beff_shape *s, unsigned p);

/* Whose a chunk is. */
struct beff_owner {
	unsigned rank, pattern;
	enum beff_access access; /* BEFF_WRITE or BEFF_REWRITE */
};

/* Makes @bytes of a buffer the chunk's; its stamps are others for each @k. */
void beff_fill(struct beff_owner o, void *chunk, u64 bytes);
void beff_mark(struct beff_owner o, u64 k, void *chunk, u64 bytes);
/* Are the stamps of chunk @k there? Is all of it? */
bool beff_is_marked(struct beff_owner o, u64 k, const void *chunk, u64 bytes);
bool beff_is_whole(struct beff_owner o, u64 k, const void *chunk, u64 bytes);

/* The stamp, for tests and those who look at files:
 *	bits 0..37 k   38..39 access   40..45 pattern   46 it is the last   48..63 rank + 1 */
static inline u64 beff_stamp(struct beff_owner o, u64 k, bool last)
{
	return (u64)(o.rank + 1) << 48 | (u64)last << 46 | (u64)o.pattern << 40 |
		(u64)o.access << 38 | (k & ((1ULL << 38) - 1));
}

#endif
