/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_CREW_H
#define IOSPAN_BEFF_CREW_H

#include "bench/beff/engine.h"

/* barrier() and agree() of struct beff_io for such ranks. */
void beff_barrier(struct beff_rank *r);
u64 beff_agree(struct beff_rank *r, u64 n);
/* Advances the shared pointer by @bytes and returns its old value. Waits until it is this rank's
 * turn, in the order of ranks. An open sets the pointer to 0. */
u64 beff_take_pointer(struct beff_rank *r, u64 bytes);
/* Size of all agents' buffers together. */
u64 beff_agents_bytes(const struct beff_setup *s);

/* begin(), step() and end() of an engine with such ranks; see struct beff_engine. */
void *beff_crew_begin(const struct beff_io *io, const struct beff_setup *setup,
		      const struct session *session);
int beff_crew_step(void *crew, const struct beff_step *step, int (*poll)(void *), void *arg,
		   struct beff_outcome *out, struct sum *app);
void beff_crew_end(void *crew);

#endif
