/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The work of one process (rank) of b_eff_io in a step: to open, use, check or close its file. */
#ifndef IOSPAN_BEFF_RANK_H
#define IOSPAN_BEFF_RANK_H

#include "bench/beff/engine.h"

/* Combines the results @parts of all ranks into @out and, for the app layer, @app. @span has the
 * time in which at least one rank was in an I/O call. If @span is NULL, the ranks have no common
 * clock, so the times of rank 0 are used. Returns 0 or the -errno of the first rank that failed;
 * prints the error. */
int beff_gather(const struct beff_setup *s, const struct beff_part *parts, unsigned ranks,
		const struct span *span, struct beff_outcome *out, struct sum *app);

/* Returns the size in bytes of the buffer in which a rank keeps the data of one call. */
u64 beff_buffer_bytes(const struct beff_setup *s);
/* Runs the step r->step on this rank. Stores results and errors in r->out. */
void beff_rank_step(struct beff_rank *r);
/* Stores in r->out that @call failed with @error. If r->out already has an error, keeps the earlier
 * error. Returns @error. */
int beff_failed(struct beff_rank *r, enum beff_call call, int error);
/* Returns the path of the file that the rank uses in this step, named as in b_eff_io revision 2.1.
 * The caller frees it. */
char *beff_path(const struct beff_rank *r);

#endif
