/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hints for individual patterns (paper, section 7), from a file in the format of revision 2.1:
 *
 *	# processes access type chunk key value
 *	all write scatter on_open cb_nodes 2
 *	4   all   shared  1032    fadvise  random
 */
#ifndef IOSPAN_BENCH_BEFF_HINTS_H
#define IOSPAN_BENCH_BEFF_HINTS_H

#include "bench/beff/pattern.h"

#define BEFF_HINTS 32 /* most hints in a file */
#define BEFF_HINT_TEXT 48

struct beff_hint {
	char key[BEFF_HINT_TEXT], value[BEFF_HINT_TEXT];
};

struct beff_hint_line {
	unsigned ranks;	  /* 0: all */
	int access, type; /* -1: all */
	int chunk;	  /* -1: all; BEFF_CHUNKS: on open, for the whole file */
	struct beff_hint hint;
};

struct beff_hints {
	const char *path; /* NULL: none */
	struct beff_hint_line lines[BEFF_HINTS];
	unsigned n;
};

/* The hints for one file or one pattern. For each key the last line in the file wins. */
struct beff_hints_now {
	struct beff_hint list[BEFF_HINTS];
	unsigned n;
};

/* @check validates a hint and prints the error; NULL: all hints are valid. Returns 0 or -errno;
 * prints the error with the line. */
int beff_hints_read(const char *path, int (*check)(const struct beff_hint *hint),
		    struct beff_hints *h);
/* @chunk: BEFF_CHUNKS on open. */
struct beff_hints_now beff_hints_for(const struct beff_hints *h, unsigned ranks,
				     enum beff_access access, enum beff_type type, int chunk);
/* "all", "1032", "on_open", ... */
const char *beff_hint_chunk_name(int chunk);

#endif
