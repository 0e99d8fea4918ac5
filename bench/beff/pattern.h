/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The patterns of b_eff_io, revision 2.1 (Koniges, Rabenseifner and others 2001, table 1). A
 * pattern is a series of calls. The paper describes it by three numbers: l is the bytes of a
 * contiguous chunk on disk, L the bytes of a call, and U the weight of the pattern in the schedule.
 * The type of a pattern is the arrangement of the chunks of the ranks (processes) in the files. A
 * partition is a group of ranks. Where the paper writes MB for a size, it means MiB. */
#ifndef IOSPAN_BENCH_BEFF_PATTERN_H
#define IOSPAN_BENCH_BEFF_PATTERN_H

#include <stdbool.h>
#include "bpf/types.h"

enum beff_access { BEFF_WRITE, BEFF_REWRITE, BEFF_READ, BEFF_ACCESSES };
extern const char *const beff_access_names[BEFF_ACCESSES];

enum beff_type {
	/* one file; in a collective call, each rank transfers several chunks with gaps between
	 * them */
	BEFF_SCATTER,
	/* one file; the ranks share one file pointer, and access the file in the order of their
	 * numbers */
	BEFF_SHARED,
	BEFF_SEPARATED, /* each rank has a file of its own */
	BEFF_SEGMENTED, /* one file, in which each rank has a contiguous segment */
	BEFF_SEG_COLL,	/* like BEFF_SEGMENTED, but with collective calls */
	BEFF_TYPES
};
extern const char *const beff_type_names[BEFF_TYPES];

/* Chunk sizes, in the order in which the summary shows them. Sizes from BEFF_CURVE on are not in
 * the plots of the bandwidth. */
enum beff_chunk {
	BEFF_1K,
	BEFF_1K8,
	BEFF_32K,
	BEFF_32K8,
	BEFF_1M,
	BEFF_1M8,
	BEFF_MPART,
	BEFF_CURVE,
	BEFF_2M = BEFF_CURVE, /* two chunks of 1 MiB per call; only in the type BEFF_SCATTER */
	BEFF_FIRST,	      /* a chunk of 1 MiB, transferred once, before the other sizes */
	BEFF_FILLER,	      /* a chunk that fills the rest of a segment after all other chunks */
	BEFF_CHUNKS
};
extern const char *const beff_chunk_names[BEFF_CHUNKS];

struct beff_pattern {
	enum beff_type type;
	enum beff_chunk chunk;
	/* weight of the pattern in the schedule (U in the b_eff_io paper); 0: the pattern runs
	 * once */
	unsigned units;
};

#define BEFF_PATTERNS 43
extern const struct beff_pattern beff_patterns[BEFF_PATTERNS];

/* Additional accesses, which the b_eff_io paper leaves as future work (section 8). They use files
 * that the patterns have written, and do not affect the value b_eff_io. */
enum beff_extension {
	BEFF_DEFINED, /* no extension: a pattern that the b_eff_io paper defines */
	/* each rank reads the chunks of its own file (type "separated") in random order */
	BEFF_RANDOM,
	/* each rank writes the chunks of its own file in random order; it writes the data that the
	 * chunks already have */
	BEFF_RANDOM_WRITE,
	BEFF_SAME, /* each rank reads the chunks that all ranks have written (type "shared") */
	BEFF_EXTENSIONS
};
extern const char *const beff_extension_names[BEFF_EXTENSIONS];
enum beff_type beff_extension_type(enum beff_extension extension);
enum beff_access beff_extension_access(enum beff_extension extension);
#define BEFF_EXTENDED 3
extern const enum beff_chunk beff_extended[BEFF_EXTENDED];

/* Returns the index in beff_patterns of the pattern with this type and chunk size, or BEFF_PATTERNS
 * if there is none. */
unsigned beff_find(enum beff_type type, enum beff_chunk chunk);

/* Returns MPART, the largest chunk size, if each process has @memory bytes (b_eff_io paper, section
 * 3, with the limits of revision 2.1). */
u64 beff_mpart(u64 memory);
/* Returns the bytes of a chunk (l). @mpart and @filler are the bytes of the chunk sizes BEFF_MPART
 * and BEFF_FILLER, which differ between runs. */
u64 beff_chunk_bytes(enum beff_chunk chunk, u64 mpart, u64 filler);
/* Returns the number of chunks that a call of one rank transfers (L / l). */
unsigned beff_chunks_in_call(const struct beff_pattern *p);

/* Returns true if the patterns of @type run with access method @access. All types are written and
 * read. The type BEFF_SCATTER is always rewritten; all other types are rewritten if @rewrite_all is
 * true. */
bool beff_runs(enum beff_access access, enum beff_type type, bool rewrite_all);
/* Return sums of the weights U. beff_units(): of all patterns that run. beff_access_units(): of the
 * patterns of one access method. beff_type_units(): of the patterns of one type. */
unsigned beff_units(bool rewrite_all);
unsigned beff_access_units(enum beff_access access, bool rewrite_all);
unsigned beff_type_units(enum beff_type type);

/* Stores in @n the sizes of the partitions to measure, and returns their number. @size is the
 * number of processes of the system. A small partition has about @size^0.35 processes, a medium one
 * @size^0.70, and the large one @size (b_eff_io paper, section 7.1, note 3). */
#define BEFF_SIZES 3
unsigned beff_sizes(unsigned size, unsigned n[BEFF_SIZES]);

/* Computes the layout of the segmented files (types BEFF_SEGMENTED and BEFF_SEG_COLL), as revision
 * 2.1 does. Reads the repetitions of the other types, and sets those of the segmented types. Sets
 * @segment, the bytes of a segment, and @filler, the unused bytes at its end. */
void beff_segment(u64 repetitions[BEFF_PATTERNS], u64 mpart, u64 *segment, u64 *filler);

#endif
