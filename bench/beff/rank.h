/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_RANK_H
#define IOSPAN_BEFF_RANK_H

#include "bench/beff/engine.h"

/* Adds up what @ranks did in a step, to @out and for the app layer to @app. @span is theirs;
 * NULL: they have no clock in common, so rank 0's counts. -errno: what one of them failed at,
 * printed. */
int beff_gather(const struct beff_setup *s, const struct beff_part *parts, unsigned ranks,
		const struct span *span, struct beff_outcome *out, struct sum *app);

/* Bytes of a rank's buffer. */
u64 beff_buffer_bytes(const struct beff_setup *s);
/* The rank's part in r->step, to r->out. */
void beff_rank_step(struct beff_rank *r);
/* Notes @error of @call, unless another was before; returns it. */
int beff_failed(struct beff_rank *r, enum beff_call call, int error);
/* Its file of that type. The caller frees it. */
char *beff_path(const struct beff_rank *r);

#endif
