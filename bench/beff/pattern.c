// SPDX-License-Identifier: GPL-2.0-or-later
/* The patterns of b_eff_io, and the numbers that depend on memory or the number of processes. */
#include "bench/beff/pattern.h"

#include <math.h>

#define KIB 1024ULL
#define MIB (1024 * KIB)
/* The largest chunk size, called MPART, is 1 / MPART_PART of the memory of a process. */
#define MPART_PART 128
/* limits of revision 2.1 for MPART, the largest chunk size, in MiB */
#define MPART_LEAST_MIB 256
#define MPART_MOST_MIB 131072

const char *const beff_access_names[BEFF_ACCESSES] = { "write", "rewrite", "read" };
const char *const beff_type_names[BEFF_TYPES] = {
	"scatter", "shared", "separated", "segmented", "seg_coll",
};
const char *const beff_chunk_names[BEFF_CHUNKS] = {
	"1k", "1k+8", "32k", "32k+8", "1M", "1M+8", "MPART", "1M of 2M", "first", "filler",
};

const char *const beff_extension_names[BEFF_EXTENSIONS] = {
	[BEFF_RANDOM] = "random",
	[BEFF_RANDOM_WRITE] = "random_write",
	[BEFF_SAME] = "same",
};
const enum beff_chunk beff_extended[BEFF_EXTENDED] = { BEFF_1K, BEFF_32K, BEFF_1M };

const struct beff_pattern beff_patterns[BEFF_PATTERNS] = {
	{ BEFF_SCATTER, BEFF_FIRST, 0 },    { BEFF_SCATTER, BEFF_MPART, 4 },
	{ BEFF_SCATTER, BEFF_2M, 4 },	    { BEFF_SCATTER, BEFF_1M, 4 },
	{ BEFF_SCATTER, BEFF_32K, 2 },	    { BEFF_SCATTER, BEFF_1K, 2 },
	{ BEFF_SCATTER, BEFF_32K8, 2 },	    { BEFF_SCATTER, BEFF_1K8, 2 },
	{ BEFF_SCATTER, BEFF_1M8, 2 },

	{ BEFF_SHARED, BEFF_FIRST, 0 },	    { BEFF_SHARED, BEFF_MPART, 4 },
	{ BEFF_SHARED, BEFF_1M, 2 },	    { BEFF_SHARED, BEFF_32K, 1 },
	{ BEFF_SHARED, BEFF_1K, 1 },	    { BEFF_SHARED, BEFF_32K8, 1 },
	{ BEFF_SHARED, BEFF_1K8, 1 },	    { BEFF_SHARED, BEFF_1M8, 2 },

	{ BEFF_SEPARATED, BEFF_FIRST, 0 },  { BEFF_SEPARATED, BEFF_MPART, 2 },
	{ BEFF_SEPARATED, BEFF_1M, 2 },	    { BEFF_SEPARATED, BEFF_32K, 1 },
	{ BEFF_SEPARATED, BEFF_1K, 1 },	    { BEFF_SEPARATED, BEFF_32K8, 1 },
	{ BEFF_SEPARATED, BEFF_1K8, 1 },    { BEFF_SEPARATED, BEFF_1M8, 2 },

	{ BEFF_SEGMENTED, BEFF_FIRST, 0 },  { BEFF_SEGMENTED, BEFF_MPART, 2 },
	{ BEFF_SEGMENTED, BEFF_1M, 2 },	    { BEFF_SEGMENTED, BEFF_32K, 1 },
	{ BEFF_SEGMENTED, BEFF_1K, 1 },	    { BEFF_SEGMENTED, BEFF_32K8, 1 },
	{ BEFF_SEGMENTED, BEFF_1K8, 1 },    { BEFF_SEGMENTED, BEFF_1M8, 2 },
	{ BEFF_SEGMENTED, BEFF_FILLER, 0 },

	{ BEFF_SEG_COLL, BEFF_FIRST, 0 },   { BEFF_SEG_COLL, BEFF_MPART, 2 },
	{ BEFF_SEG_COLL, BEFF_1M, 2 },	    { BEFF_SEG_COLL, BEFF_32K, 1 },
	{ BEFF_SEG_COLL, BEFF_1K, 1 },	    { BEFF_SEG_COLL, BEFF_32K8, 1 },
	{ BEFF_SEG_COLL, BEFF_1K8, 1 },	    { BEFF_SEG_COLL, BEFF_1M8, 2 },
	{ BEFF_SEG_COLL, BEFF_FILLER, 0 },
};

/* For each chunk size. .bytes: bytes of a chunk (l); 0: the size depends on the machine.
 * .scattered: number of chunks that a call transfers in the type "scatter". */
static const struct {
	u64 bytes;
	unsigned scattered;
} chunks[BEFF_CHUNKS] = {
	[BEFF_1K] = { KIB, 1024 },     [BEFF_1K8] = { KIB + 8, 1024 },
	[BEFF_32K] = { 32 * KIB, 32 }, [BEFF_32K8] = { 32 * KIB + 8, 32 },
	[BEFF_1M] = { MIB, 1 },	       [BEFF_1M8] = { MIB + 8, 1 },
	[BEFF_MPART] = { 0, 1 },       [BEFF_2M] = { MIB, 2 },
	[BEFF_FIRST] = { MIB, 1 },     [BEFF_FILLER] = { 0, 1 },
};

unsigned beff_find(enum beff_type type, enum beff_chunk chunk)
{
	unsigned p = 0;

	while (p < BEFF_PATTERNS &&
	       (beff_patterns[p].type != type || beff_patterns[p].chunk != chunk))
		p++;
	return p;
}

enum beff_type beff_extension_type(enum beff_extension extension)
{
	return extension == BEFF_SAME ? BEFF_SHARED : BEFF_SEPARATED;
}

enum beff_access beff_extension_access(enum beff_extension extension)
{
	return extension == BEFF_RANDOM_WRITE ? BEFF_REWRITE : BEFF_READ;
}

u64 beff_mpart(u64 memory)
{
	u64 mib = memory / MIB;

	if (mib > MPART_MOST_MIB)
		mib = MPART_MOST_MIB;
	if (mib < MPART_LEAST_MIB)
		mib = MPART_LEAST_MIB;
	return mib * (MIB / MPART_PART);
}

u64 beff_chunk_bytes(enum beff_chunk chunk, u64 mpart, u64 filler)
{
	if (chunk == BEFF_MPART)
		return mpart;
	return chunk == BEFF_FILLER ? filler : chunks[chunk].bytes;
}

unsigned beff_chunks_in_call(const struct beff_pattern *p)
{
	return p->type == BEFF_SCATTER ? chunks[p->chunk].scattered : 1;
}

bool beff_runs(enum beff_access access, enum beff_type type, bool rewrite_all)
{
	return access != BEFF_REWRITE || type == BEFF_SCATTER || rewrite_all;
}

unsigned beff_type_units(enum beff_type type)
{
	unsigned units = 0;

	for (unsigned p = 0; p < BEFF_PATTERNS; p++)
		if (beff_patterns[p].type == type)
			units += beff_patterns[p].units;
	return units;
}

unsigned beff_access_units(enum beff_access access, bool rewrite_all)
{
	unsigned units = 0;

	for (enum beff_type type = 0; type < BEFF_TYPES; type++)
		if (beff_runs(access, type, rewrite_all))
			units += beff_type_units(type);
	return units;
}

unsigned beff_units(bool rewrite_all)
{
	unsigned units = 0;

	for (enum beff_access access = 0; access < BEFF_ACCESSES; access++)
		units += beff_access_units(access, rewrite_all);
	return units;
}

/* Rounds @exponent to an integer, and returns 2 to the power of this integer. The rounding adds
 * 0.5000001 instead of 0.5, as in b_eff_io revision 2.1. */
static unsigned power_of_two(double exponent)
{
	return 1u << (int)(exponent + 0.5000001);
}

unsigned beff_sizes(unsigned size, unsigned n[BEFF_SIZES])
{
	unsigned all[] = { size == 3 ? 1 : power_of_two(0.35 * log2(size)),
			   size == 4 ? 3 : power_of_two(0.70 * log2(size)), size };
	unsigned found = 0;

	for (int i = 0; i < BEFF_SIZES; i++)
		if (!found || all[i] != n[found - 1])
			n[found++] = all[i];
	return found;
}

static u64 least_of(u64 a, u64 b)
{
	return a < b ? a : b;
}

void beff_segment(u64 repetitions[BEFF_PATTERNS], u64 mpart, u64 *segment, u64 *filler)
{
	u64 used = 0;

	for (enum beff_chunk c = 0; c < BEFF_CHUNKS; c++) {
		unsigned scatter = beff_find(BEFF_SCATTER, c), shared = beff_find(BEFF_SHARED, c);
		unsigned separated = beff_find(BEFF_SEPARATED, c);
		unsigned segmented = beff_find(BEFF_SEGMENTED, c);
		u64 n = 1;

		if (segmented == BEFF_PATTERNS)
			continue;
		if (c < BEFF_CURVE)
			n = least_of(repetitions[scatter] * chunks[c].scattered,
				     least_of(10 * repetitions[shared], repetitions[separated]));
		repetitions[segmented] = repetitions[beff_find(BEFF_SEG_COLL, c)] = n;
		if (c != BEFF_FILLER)
			used += n * beff_chunk_bytes(c, mpart, 0);
	}
	*segment = (used + MIB - 1) / MIB * MIB;
	*filler = *segment - used;
}
