/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_RANK_H
#define IOSPAN_BEFF_RANK_H

#include "bench/beff/engine.h"

/* Combines the results of all ranks in @out and @app. @span: time in which any rank was busy; NULL:
 * without a common clock, rank 0's times count. Returns the error of the first rank that failed,
 * after printing it, or 0. */
int beff_gather(const struct beff_setup *s, const struct beff_part *parts, unsigned ranks,
		const struct span *span, struct beff_outcome *out, struct sum *app);

/* Returns the size of r->buffer, in bytes. */
u64 beff_buffer_bytes(const struct beff_setup *s);
/* Runs the step r->step on this rank. Stores results and errors in r->out. */
void beff_rank_step(struct beff_rank *r);
/* Stores in r->out that @call failed with @error. Keeps an earlier error. Returns @error. */
int beff_failed(struct beff_rank *r, enum beff_call call, int error);
/* Returns the path of the rank's file, named as in revision 2.1. The caller frees it. */
char *beff_path(const struct beff_rank *r);

#endif
