// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes where the chunks of b_eff_io lie in the files, and their content. A pattern repeats
 * calls with one chunk size. The patterns of one type share files. */
#include "bench/beff/layout.h"
#include "bench/load/stream.h"

u64 beff_l(const struct beff_shape *s, unsigned p)
{
	return beff_chunk_bytes(beff_patterns[p].chunk, s->mpart, s->filler);
}

u64 beff_call(const struct beff_shape *s, unsigned p)
{
	return beff_l(s, p) * beff_chunks_in_call(&beff_patterns[p]);
}

u64 beff_bytes_of(const struct beff_shape *s, unsigned p)
{
	return s->repetitions[p] * beff_call(s, p);
}

/* Returns the number of bytes that one rank has in the file before its chunks of pattern @p. The
 * patterns of one type share a file, and the earlier patterns come first. */
static u64 bytes_before(const struct beff_shape *s, unsigned p)
{
	u64 bytes = 0;

	for (unsigned q = 0; q < p; q++)
		if (beff_patterns[q].type == beff_patterns[p].type)
			bytes += beff_bytes_of(s, q);
	return bytes;
}

static bool is_interleaved(unsigned p)
{
	return beff_patterns[p].type == BEFF_SCATTER || beff_patterns[p].type == BEFF_SHARED;
}

u64 beff_stride(const struct beff_shape *s, unsigned p)
{
	return beff_l(s, p) * (is_interleaved(p) ? s->ranks : 1);
}

u64 beff_offset(const struct beff_shape *s, unsigned p, unsigned rank, u64 k)
{
	u64 before = bytes_before(s, p), at = k * beff_stride(s, p);

	if (is_interleaved(p))
		return s->ranks * before + at + rank * beff_l(s, p);
	if (beff_patterns[p].type == BEFF_SEPARATED)
		return before + at;
	return rank * s->segment + before + at;
}

/* Returns element number @i (8 bytes) of a chunk, a pseudo-random number. Each writer @o has its
 * own sequence of elements. */
static u64 element(struct beff_owner o, u64 i)
{
	return stream_mix(beff_stamp(o, 0, false) + (i + 1) * 0x9e3779b97f4a7c15ULL);
}

void beff_fill(struct beff_owner o, void *chunk, u64 bytes)
{
	u64 *elements = chunk;

	for (u64 i = 0; i < bytes / sizeof(*elements); i++)
		elements[i] = element(o, i);
}

void beff_mark(struct beff_owner o, u64 k, void *chunk, u64 bytes)
{
	u64 *elements = chunk, n = bytes / sizeof(*elements);

	if (!n)
		return;
	elements[n - 1] = beff_stamp(o, k, true);
	elements[0] = beff_stamp(o, k, false);
}

bool beff_is_marked(struct beff_owner o, u64 k, const void *chunk, u64 bytes)
{
	const u64 *elements = chunk;
	u64 n = bytes / sizeof(*elements);

	return !n ||
		(elements[0] == beff_stamp(o, k, false) &&
		 (n == 1 || elements[n - 1] == beff_stamp(o, k, true)));
}

bool beff_is_whole(struct beff_owner o, u64 k, const void *chunk, u64 bytes)
{
	const u64 *elements = chunk;
	u64 n = bytes / sizeof(*elements);
	bool whole = beff_is_marked(o, k, chunk, bytes);

	for (u64 i = 1; i + 1 < n && whole; i++)
		whole = elements[i] == element(o, i);
	return whole;
}
