/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_RANK_H
#define IOSPAN_BEFF_RANK_H

#include "bench/beff/engine.h"

/* Adds up the @parts of all ranks in a step: to @out, and for the app layer to @app. @span is that
 * of all ranks. If it is NULL, the ranks have no common clock and rank 0's times count. Returns 0,
 * or the -errno of the first rank that failed; prints the error. */
int beff_gather(const struct beff_setup *s, const struct beff_part *parts, unsigned ranks,
		const struct span *span, struct beff_outcome *out, struct sum *app);

/* Size of a rank's buffer. */
u64 beff_buffer_bytes(const struct beff_setup *s);
/* Runs the rank's part of r->step. Results and errors are in r->out. */
void beff_rank_step(struct beff_rank *r);
/* Stores @error of @call, unless there was an earlier one. Returns @error. */
int beff_failed(struct beff_rank *r, enum beff_call call, int error);
/* Path of the rank's file in this step. The caller frees it. */
char *beff_path(const struct beff_rank *r);

#endif
