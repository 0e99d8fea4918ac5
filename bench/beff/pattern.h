/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The patterns of b_eff_io, revision 2.1 (Rabenseifner, Koniges, Prost, Hedges 2001), and what
 * follows from its definition alone.
 *
 * A pattern is l, the bytes of a chunk that lies together on disk; L, those that one call
 * moves; and U, its share of the time. MB are MiB for sizes. */
#ifndef IOSPAN_BENCH_BEFF_PATTERN_H
#define IOSPAN_BENCH_BEFF_PATTERN_H

#include <stdbool.h>
#include "bpf/types.h"

enum beff_access { BEFF_WRITE, BEFF_REWRITE, BEFF_READ, BEFF_ACCESSES };
extern const char *const beff_access_names[BEFF_ACCESSES];

enum beff_type {
	BEFF_SCATTER,	/* collective, strided: a call has L / l chunks */
	BEFF_SHARED,	/* a shared pointer, in the order of ranks */
	BEFF_SEPARATED, /* a file for each process */
	BEFF_SEGMENTED, /* one file, a segment for each */
	BEFF_SEG_COLL,	/* the same, collective */
	BEFF_TYPES
};
extern const char *const beff_type_names[BEFF_TYPES];

/* In the order of the summary and of the plots; the last three are not in their curves. */
enum beff_chunk {
	BEFF_1K,
	BEFF_1K8,
	BEFF_32K,
	BEFF_32K8,
	BEFF_1M,
	BEFF_1M8,
	BEFF_MPART,
	BEFF_CURVE,
	BEFF_2M = BEFF_CURVE, /* type 0: 1 MB, two in a call */
	BEFF_FIRST,	      /* 1 MB once, before all others */
	BEFF_FILLER,	      /* the rest of a segment */
	BEFF_CHUNKS
};
extern const char *const beff_chunk_names[BEFF_CHUNKS];

struct beff_pattern {
	enum beff_type type;
	enum beff_chunk chunk;
	unsigned units; /* U; 0: one repetition */
};

#define BEFF_PATTERNS 43
extern const struct beff_pattern beff_patterns[BEFF_PATTERNS]; /* in their order */

/* Reads that the paper leaves for later (section 6), and that do not enter the number: of what
 * the patterns of a type have written, with some of their chunks. */
enum beff_extension {
	BEFF_DEFINED, /* none: as defined */
	BEFF_RANDOM,  /* separated: a rank's chunks, at random */
	BEFF_SAME,    /* shared: all chunks of all, by each rank */
	BEFF_EXTENSIONS
};
extern const char *const beff_extension_names[BEFF_EXTENSIONS];
enum beff_type beff_extension_type(enum beff_extension extension);
#define BEFF_EXTENDED 3
extern const enum beff_chunk beff_extended[BEFF_EXTENDED];

/* The number of a type's pattern with that chunk; BEFF_PATTERNS: there is none. */
unsigned beff_find(enum beff_type type, enum beff_chunk chunk);

/* MPART: the largest chunk, of processes with @memory bytes each. */
u64 beff_mpart(u64 memory);
/* l; of MPART and of fillers what the caller says. */
u64 beff_chunk_bytes(enum beff_chunk chunk, u64 mpart, u64 filler);
/* L / l */
unsigned beff_chunks_in_call(const struct beff_pattern *p);

/* Does an access method run a type? All are rewritten only when asked for. */
bool beff_runs(enum beff_access access, enum beff_type type, bool rewrite_all);
/* The sum of U over all that runs; of one access method; of one type: */
unsigned beff_units(bool rewrite_all);
unsigned beff_access_units(enum beff_access access, bool rewrite_all);
unsigned beff_type_units(enum beff_type type);

/* Small, medium, large: which numbers of processes a system of @size has. Returns how many
 * they are. */
#define BEFF_SIZES 3
unsigned beff_sizes(unsigned size, unsigned n[BEFF_SIZES]);

/* How often patterns of types 3 and 4 are repeated, from what types 0 to 2 did; and the bytes
 * of a segment, and of its filler. */
void beff_segment(u64 repetitions[BEFF_PATTERNS], u64 mpart, u64 *segment, u64 *filler);

#endif
