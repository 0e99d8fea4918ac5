/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The patterns of b_eff_io, revision 2.1 (Koniges, Rabenseifner and others 2001, table 1), and the
 * quantities that follow from the definition alone.
 *
 * A pattern has l, the bytes of a contiguous chunk on disk; L, the bytes of one call; and U, its
 * weight in the schedule. MB are MiB for sizes. */
#ifndef IOSPAN_BENCH_BEFF_PATTERN_H
#define IOSPAN_BENCH_BEFF_PATTERN_H

#include <stdbool.h>
#include "bpf/types.h"

enum beff_access { BEFF_WRITE, BEFF_REWRITE, BEFF_READ, BEFF_ACCESSES };
extern const char *const beff_access_names[BEFF_ACCESSES];

enum beff_type {
	BEFF_SCATTER,	/* collective, strided: a call has L / l chunks */
	BEFF_SHARED,	/* a shared pointer, in the order of ranks */
	BEFF_SEPARATED, /* one file per process */
	BEFF_SEGMENTED, /* one file with a segment per process */
	BEFF_SEG_COLL,	/* segmented and collective */
	BEFF_TYPES
};
extern const char *const beff_type_names[BEFF_TYPES];

/* In the order of the summary and the plots; those from BEFF_CURVE on are not plotted. */
enum beff_chunk {
	BEFF_1K,
	BEFF_1K8,
	BEFF_32K,
	BEFF_32K8,
	BEFF_1M,
	BEFF_1M8,
	BEFF_MPART,
	BEFF_CURVE,
	BEFF_2M = BEFF_CURVE, /* type 0: two chunks of 1 MB per call */
	BEFF_FIRST,	      /* 1 MB, run once before the others */
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
extern const struct beff_pattern beff_patterns[BEFF_PATTERNS]; /* in the order of execution */

/* Reads that the paper leaves as future work (section 6). They read data that the patterns of a
 * type have written, with some chunk sizes, and do not enter b_eff_io. */
enum beff_extension {
	BEFF_DEFINED, /* no extension */
	BEFF_RANDOM,  /* separated: each rank reads its chunks in random order */
	BEFF_SAME,    /* shared: each rank reads all chunks of all ranks */
	BEFF_EXTENSIONS
};
extern const char *const beff_extension_names[BEFF_EXTENSIONS];
enum beff_type beff_extension_type(enum beff_extension extension);
#define BEFF_EXTENDED 3
extern const enum beff_chunk beff_extended[BEFF_EXTENDED];

/* Index of the pattern with this type and chunk; BEFF_PATTERNS: none. */
unsigned beff_find(enum beff_type type, enum beff_chunk chunk);

/* MPART, the largest chunk, for processes with @memory bytes each (section 3; limits of 2.1). */
u64 beff_mpart(u64 memory);
/* Returns l, the bytes of a chunk. */
u64 beff_chunk_bytes(enum beff_chunk chunk, u64 mpart, u64 filler);
/* L / l */
unsigned beff_chunks_in_call(const struct beff_pattern *p);

/* Does an access method run a type? Rewrite runs only type 0, unless @rewrite_all. */
bool beff_runs(enum beff_access access, enum beff_type type, bool rewrite_all);
/* Sum of U over the access methods and types that run; over one method; over one type. */
unsigned beff_units(bool rewrite_all);
unsigned beff_access_units(enum beff_access access, bool rewrite_all);
unsigned beff_type_units(enum beff_type type);

/* Numbers of processes of the small, medium and large partition of a system with @size processes:
 * about size^0.35, size^0.70 and size (section 7.1, note 3). Returns the number of partitions. */
#define BEFF_SIZES 3
unsigned beff_sizes(unsigned size, unsigned n[BEFF_SIZES]);

/* Sets the repetitions of types 3 and 4 from those of types 0 to 2, and the bytes of a segment and
 * of its filler (revision 2.1). */
void beff_segment(u64 repetitions[BEFF_PATTERNS], u64 mpart, u64 *segment, u64 *filler);

#endif
