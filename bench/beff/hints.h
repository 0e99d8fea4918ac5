/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hints for individual patterns (b_eff_io paper, section 7), from a file in the format of revision
 * 2.1:
 *
 *	# processes access type chunk key value
 *	all write scatter on_open cb_nodes 2
 *	4   all   shared  1032    fadvise  random */
#ifndef IOSPAN_BENCH_BEFF_HINTS_H
#define IOSPAN_BENCH_BEFF_HINTS_H

#include "bench/beff/pattern.h"

#define BEFF_HINTS 32 /* largest number of hints in a file */
#define BEFF_HINT_TEXT 48

struct beff_hint {
	char key[BEFF_HINT_TEXT], value[BEFF_HINT_TEXT];
};

struct beff_hint_line {
	unsigned ranks;	  /* number of processes for which the hint applies; 0: any */
	int access, type; /* access method and pattern type of the hint; -1: all */
	/* chunk size of the hint; -1: all; BEFF_CHUNKS: the whole file, when it is opened */
	int chunk;
	struct beff_hint hint;
};

struct beff_hints {
	const char *path; /* path of the file with hints; NULL: no hints */
	struct beff_hint_line lines[BEFF_HINTS];
	unsigned n;
};

/* The hints that apply to one file or one pattern. If several lines have the same key, the last one
 * applies. */
struct beff_hints_now {
	struct beff_hint list[BEFF_HINTS];
	unsigned n;
};

/* Reads the hints of the file @path into @h. @check validates a hint and prints the error; NULL:
 * all hints are valid. Returns 0 or -errno; prints the error with the number of the line. */
int beff_hints_read(const char *path, int (*check)(const struct beff_hint *hint),
		    struct beff_hints *h);
/* Returns the hints that apply to a pattern. @chunk: its chunk size, or BEFF_CHUNKS when its file
 * is opened. */
struct beff_hints_now beff_hints_for(const struct beff_hints *h, unsigned ranks,
				     enum beff_access access, enum beff_type type, int chunk);
/* Returns the word for a chunk size in a file of hints: "all", "1032", "on_open", ... */
const char *beff_hint_chunk_name(int chunk);

#endif
