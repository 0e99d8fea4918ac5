/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The patterns of b_eff_io, revision 2.1 (Koniges, Rabenseifner and others 2001, table 1), and
 * quantities that follow from this definition alone.
 *
 * A pattern has three numbers: l, the bytes of a contiguous chunk on disk; L, the bytes of one
 * call; and U, its weight in the schedule. In sizes, the MB of the paper are MiB. */
#ifndef IOSPAN_BENCH_BEFF_PATTERN_H
#define IOSPAN_BENCH_BEFF_PATTERN_H

#include <stdbool.h>
#include "bpf/types.h"

enum beff_access { BEFF_WRITE, BEFF_REWRITE, BEFF_READ, BEFF_ACCESSES };
extern const char *const beff_access_names[BEFF_ACCESSES];

enum beff_type {
	BEFF_SCATTER,	/* collective and strided: a call transfers L / l chunks */
	BEFF_SHARED,	/* one file with a shared file pointer, which ranks use in order */
	BEFF_SEPARATED, /* one file per process */
	BEFF_SEGMENTED, /* one file with a segment per process */
	BEFF_SEG_COLL,	/* like BEFF_SEGMENTED, with collective calls */
	BEFF_TYPES
};
extern const char *const beff_type_names[BEFF_TYPES];

/* Chunk sizes, in the order of the summary and the plots. Those from BEFF_CURVE on are not
 * plotted. */
enum beff_chunk {
	BEFF_1K,
	BEFF_1K8,
	BEFF_32K,
	BEFF_32K8,
	BEFF_1M,
	BEFF_1M8,
	BEFF_MPART,
	BEFF_CURVE,
	BEFF_2M = BEFF_CURVE, /* only in type 0: a call has two chunks of 1 MB */
	BEFF_FIRST,	      /* 1 MB, run once before the other chunk sizes */
	BEFF_FILLER,	      /* the rest of a segment after all other chunks */
	BEFF_CHUNKS
};
extern const char *const beff_chunk_names[BEFF_CHUNKS];

struct beff_pattern {
	enum beff_type type;
	enum beff_chunk chunk;
	unsigned units; /* weight in the schedule (U in the paper); 0: the pattern runs once */
};

#define BEFF_PATTERNS 43
/* all patterns, in the order of execution */
extern const struct beff_pattern beff_patterns[BEFF_PATTERNS];

/* Additional reads, which the paper leaves as future work (section 6). They read the data that the
 * patterns of one type have written, with some chunk sizes. They do not affect b_eff_io. */
enum beff_extension {
	BEFF_DEFINED, /* a pattern that the paper defines, no extension */
	BEFF_RANDOM,  /* type "separated": each rank reads its chunks in random order */
	BEFF_SAME,    /* type "shared": each rank reads all chunks of all ranks */
	BEFF_EXTENSIONS
};
extern const char *const beff_extension_names[BEFF_EXTENSIONS];
enum beff_type beff_extension_type(enum beff_extension extension);
#define BEFF_EXTENDED 3
extern const enum beff_chunk beff_extended[BEFF_EXTENDED];

/* Returns the index of the pattern with this type and chunk; BEFF_PATTERNS if there is none. */
unsigned beff_find(enum beff_type type, enum beff_chunk chunk);

/* Returns MPART, the bytes of the largest chunk, for processes with @memory bytes each (section 3
 * of the paper; with the limits of revision 2.1). */
u64 beff_mpart(u64 memory);
/* Returns the bytes of a chunk (l). @mpart, @filler: bytes of BEFF_MPART and BEFF_FILLER. */
u64 beff_chunk_bytes(enum beff_chunk chunk, u64 mpart, u64 filler);
/* Returns the number of chunks in a call, L / l. */
unsigned beff_chunks_in_call(const struct beff_pattern *p);

/* Returns true if an access method runs the patterns of @type. BEFF_REWRITE runs only type 0,
 * unless @rewrite_all. */
bool beff_runs(enum beff_access access, enum beff_type type, bool rewrite_all);
/* Return the sum of U over all patterns that run: beff_units() over all access methods,
 * beff_access_units() over one access method, beff_type_units() over one type. */
unsigned beff_units(bool rewrite_all);
unsigned beff_access_units(enum beff_access access, bool rewrite_all);
unsigned beff_type_units(enum beff_type type);

/* Sets @n to the numbers of processes of the small, medium and large partition of a system with
 * @size processes: about size^0.35, size^0.70 and size (section 7.1 of the paper, note 3). Returns
 * the number of partitions. */
#define BEFF_SIZES 3
unsigned beff_sizes(unsigned size, unsigned n[BEFF_SIZES]);

/* Sets the repetitions of types 3 and 4 from those of types 0 to 2, and the bytes of a segment and
 * of its filler (as in revision 2.1). */
void beff_segment(u64 repetitions[BEFF_PATTERNS], u64 mpart, u64 *segment, u64 *filler);

#endif
