/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_CREW_H
#define IOSPAN_BEFF_CREW_H

#include "bench/beff/engine.h"

void beff_barrier(struct beff_rank *r);
u64 beff_agree(struct beff_rank *r, u64 n);
/* Takes @bytes from the shared pointer, in the order of ranks: where they begin. It is 0 at an
 * open. */
u64 beff_take_pointer(struct beff_rank *r, u64 bytes);
/* Of all agents' buffers together. */
u64 beff_agents_bytes(const struct beff_setup *s);

/* The parts of an engine whose ranks are such. */
void *beff_crew_begin(const struct beff_io *io, const struct beff_setup *setup,
		      const struct session *session);
int beff_crew_step(void *crew, const struct beff_step *step, int (*poll)(void *), void *arg,
		   struct beff_outcome *out, struct sum *app);
void beff_crew_end(void *crew);

#endif
