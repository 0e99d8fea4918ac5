/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_RANK_H
#define IOSPAN_BEFF_RANK_H

#include "bench/beff/engine.h"

/* Adds up the results @parts of all ranks in a step, in @out, and for the app layer in @app. @span:
 * span over all ranks. If it is NULL, the ranks have no common clock, and the times are those of
 * rank 0. Returns 0, or the -errno of the first rank that failed; prints the error. */
int beff_gather(const struct beff_setup *s, const struct beff_part *parts, unsigned ranks,
		const struct span *span, struct beff_outcome *out, struct sum *app);

/* Returns the bytes of a rank's buffer. */
u64 beff_buffer_bytes(const struct beff_setup *s);
/* Runs this rank's part of r->step. Results and errors are in r->out. */
void beff_rank_step(struct beff_rank *r);
/* Stores @error of @call in r->out, unless it has an earlier error. Returns @error. */
int beff_failed(struct beff_rank *r, enum beff_call call, int error);
/* Returns the path of the rank's file in this step. The caller frees it. */
char *beff_path(const struct beff_rank *r);

#endif
