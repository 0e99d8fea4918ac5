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
	/* one file; in a collective call, each rank transfers several chunks that lie apart in the
	 * file */
	BEFF_SCATTER,
	/* one file; the ranks share one file pointer, and access the file in the order of their
	 * numbers */
	BEFF_SHARED,
	BEFF_SEPARATED, /* each rank has a file of its own */
	BEFF_SEGMENTED, /* one file, in which each rank has a contiguous segment */
	BEFF_SEG_COLL,	/* like BEFF_SEGMENTED, with collective calls */
	BEFF_TYPES
};
extern const char *const beff_type_names[BEFF_TYPES];

/* Chunk sizes, in the order in which the summary shows them. The sizes from BEFF_CURVE on are not
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
	BEFF_2M = BEFF_CURVE, /* two chunks of 1 MB per call, only in type 0 */
	BEFF_FIRST,	      /* chunk of 1 MB, which runs once, before the other sizes */
	BEFF_FILLER,	      /* fills the rest of a segment after all other chunks */
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
	BEFF_DEFINED, /* no extension, but a pattern of the b_eff_io paper */
	/* each rank reads the chunks of its own file (type "separated") in random order */
	BEFF_RANDOM,
	/* each rank writes the chunks of its own file in random order; the data stay the same */
	BEFF_RANDOM_WRITE,
	BEFF_SAME, /* each rank reads the chunks of all ranks (type "shared") */
	BEFF_EXTENSIONS
};
extern const char *const beff_extension_names[BEFF_EXTENSIONS];
enum beff_type beff_extension_type(enum beff_extension extension);
enum beff_access beff_extension_access(enum beff_extension extension);
#define BEFF_EXTENDED 3
extern const enum beff_chunk beff_extended[BEFF_EXTENDED];

/* Returns the index in beff_patterns of the pattern with this type and chunk size; BEFF_PATTERNS:
 * no such pattern. */
unsigned beff_find(enum beff_type type, enum beff_chunk chunk);

/* Returns MPART, the largest chunk size, for processes with @memory bytes each (b_eff_io paper,
 * section 3, with the limits of revision 2.1). */
u64 beff_mpart(u64 memory);
/* Returns the bytes of a chunk (l). @mpart and @filler are the sizes that BEFF_MPART and
 * BEFF_FILLER have in this run. */
u64 beff_chunk_bytes(enum beff_chunk chunk, u64 mpart, u64 filler);
/* Returns how many chunks a call transfers: bytes of a call / bytes of a chunk (L / l). */
unsigned beff_chunks_in_call(const struct beff_pattern *p);

/* Returns true if the patterns of @type run with access method @access. All types are written and
 * read. Type 0 is always rewritten; if @rewrite_all is true, the other types are rewritten, too. */
bool beff_runs(enum beff_access access, enum beff_type type, bool rewrite_all);
/* Return the sum of the weights U of several patterns. beff_units(): of all patterns that run.
 * beff_access_units(): of the patterns of one access method. beff_type_units(): of the patterns of
 * one type. */
unsigned beff_units(bool rewrite_all);
unsigned beff_access_units(enum beff_access access, bool rewrite_all);
unsigned beff_type_units(enum beff_type type);

/* Sets @n to the sizes of the partitions to measure: small, medium and large groups of the @size
 * processes of the system. The groups have about size^0.35, size^0.70 and size processes (b_eff_io
 * paper, section 7.1, note 3). Returns the number of sizes. */
#define BEFF_SIZES 3
unsigned beff_sizes(unsigned size, unsigned n[BEFF_SIZES]);

/* Computes the layout of the segmented files (types 3 and 4), as revision 2.1 does. Reads the
 * elements of @repetitions for types 0 to 2, and sets those for types 3 and 4. Sets @segment, the
 * size of a segment in bytes, and @filler, the size of the unused space at its end. */
void beff_segment(u64 repetitions[BEFF_PATTERNS], u64 mpart, u64 *segment, u64 *filler);

#endif
