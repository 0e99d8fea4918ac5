/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hints for individual patterns (b_eff_io paper, section 7), from a file in the format of revision
 * 2.1. Each line has six words: the patterns that get the hint (number of processes, access, type,
 * chunk size), and the key and the value of the hint:
 *
 *	all write scatter on_open cb_nodes 2
 *	4 all shared 1032 fadvise random
 *
 * "on_open" instead of a chunk size: the hint applies to the whole file, from its opening on. */
#ifndef IOSPAN_BENCH_BEFF_HINTS_H
#define IOSPAN_BENCH_BEFF_HINTS_H

#include "bench/beff/pattern.h"

#define BEFF_HINTS 32
#define BEFF_HINT_TEXT 48

struct beff_hint {
	char key[BEFF_HINT_TEXT], value[BEFF_HINT_TEXT];
};

struct beff_hint_line {
	unsigned ranks; /* the hint applies only with this number of processes; 0: with any */
	/* the hint applies only to this access method and pattern type; -1: to all */
	int access, type;
	/* chunk size to which the hint applies, as enum beff_chunk; -1: all sizes; BEFF_CHUNKS: the
	 * whole file, from its opening on */
	int chunk;
	struct beff_hint hint;
};

struct beff_hints {
	const char *path; /* the file from which the hints were read; NULL: none */
	struct beff_hint_line lines[BEFF_HINTS];
	unsigned n;
};

/* The hints that apply to one file or pattern. If there are several hints for one key, the last
 * hint applies. */
struct beff_hints_now {
	struct beff_hint list[BEFF_HINTS];
	unsigned n;
};

/* Reads a file of hints into @h. Calls @check for each hint: for an invalid hint, @check prints an
 * error and returns -errno. If @check is NULL, all hints are valid. Returns 0 or -errno; prints the
 * error with the line number. */
int beff_hints_read(const char *path, int (*check)(const struct beff_hint *hint),
		    struct beff_hints *h);
/* Returns the hints that apply to patterns with this number of ranks, access method, type and chunk
 * size. For the opening of a file, @chunk is BEFF_CHUNKS. */
struct beff_hints_now beff_hints_for(const struct beff_hints *h, unsigned ranks,
				     enum beff_access access, enum beff_type type, int chunk);
/* words for the chunk sizes in a file of hints, such as "1032"; the last word is "on_open" */
extern const char *const beff_hint_chunks[BEFF_CHUNKS + 1];

#endif
