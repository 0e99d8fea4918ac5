/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The patterns of b_eff_io, revision 2.1 (Koniges, Rabenseifner and others 2001, table 1). A
 * pattern has the numbers l, bytes of a contiguous chunk on disk; L, bytes of a call; and U, its
 * weight in the schedule. Where the paper writes MB for a size, it means MiB. */
#ifndef IOSPAN_BENCH_BEFF_PATTERN_H
#define IOSPAN_BENCH_BEFF_PATTERN_H

#include <stdbool.h>
#include "bpf/types.h"

enum beff_access { BEFF_WRITE, BEFF_REWRITE, BEFF_READ, BEFF_ACCESSES };
extern const char *const beff_access_names[BEFF_ACCESSES];

enum beff_type {
	/* a collective call transfers several chunks of a rank, which lie apart in one file */
	BEFF_SCATTER,
	/* all ranks use one file and one file pointer, in the order of their numbers */
	BEFF_SHARED,
	BEFF_SEPARATED, /* each rank has a file of its own */
	BEFF_SEGMENTED, /* one file, in which each rank has a contiguous segment */
	BEFF_SEG_COLL,	/* like BEFF_SEGMENTED, with collective calls */
	BEFF_TYPES
};
extern const char *const beff_type_names[BEFF_TYPES];

/* Chunk sizes in the order of the summary. Those from BEFF_CURVE on are not plotted. */
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
	BEFF_FIRST,	      /* 1 MB; runs once, before the other sizes */
	BEFF_FILLER,	      /* fills the rest of a segment after all other chunks */
	BEFF_CHUNKS
};
extern const char *const beff_chunk_names[BEFF_CHUNKS];

struct beff_pattern {
	enum beff_type type;
	enum beff_chunk chunk;
	/* weight of the pattern in the schedule (U in the paper); 0: the pattern runs once */
	unsigned units;
};

#define BEFF_PATTERNS 43
extern const struct beff_pattern beff_patterns[BEFF_PATTERNS];

/* Extensions read files that the patterns wrote (future work in section 6). They do not affect
 * b_eff_io. */
enum beff_extension {
	BEFF_DEFINED, /* not an extension, but a pattern of the paper */
	/* each rank reads the chunks of its own file (type "separated") in random order */
	BEFF_RANDOM,
	BEFF_SAME, /* each rank reads the chunks of all ranks (type "shared") */
	BEFF_EXTENSIONS
};
extern const char *const beff_extension_names[BEFF_EXTENSIONS];
enum beff_type beff_extension_type(enum beff_extension extension);
#define BEFF_EXTENDED 3
extern const enum beff_chunk beff_extended[BEFF_EXTENDED];

/* Returns an index of beff_patterns; BEFF_PATTERNS: there is no such pattern. */
unsigned beff_find(enum beff_type type, enum beff_chunk chunk);

/* Returns MPART, the largest chunk, for processes with @memory bytes (section 3; limits of revision
 * 2.1). */
u64 beff_mpart(u64 memory);
/* Returns the bytes of a chunk (l). BEFF_MPART and BEFF_FILLER have these sizes in this run. */
u64 beff_chunk_bytes(enum beff_chunk chunk, u64 mpart, u64 filler);
/* Returns how many chunks a call transfers: L / l. */
unsigned beff_chunks_in_call(const struct beff_pattern *p);

/* Returns true if @access runs the patterns of @type: only type 0 is rewritten, unless
 * @rewrite_all. */
bool beff_runs(enum beff_access access, enum beff_type type, bool rewrite_all);
/* Return the sum of U over the patterns that run: over all, one access method, or one type. */
unsigned beff_units(bool rewrite_all);
unsigned beff_access_units(enum beff_access access, bool rewrite_all);
unsigned beff_type_units(enum beff_type type);

/* Sets @n to the numbers of processes in partitions: about size^0.35, size^0.70, and size (section
 * 7.1, note 3). Returns how many. */
#define BEFF_SIZES 3
unsigned beff_sizes(unsigned size, unsigned n[BEFF_SIZES]);

/* Computes the repetitions of the segmented types 3 and 4 from those of types 0 to 2, and the bytes
 * of a segment and of its filler, as revision 2.1 does. */
void beff_segment(u64 repetitions[BEFF_PATTERNS], u64 mpart, u64 *segment, u64 *filler);

#endif
