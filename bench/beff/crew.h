/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_CREW_H
#define IOSPAN_BEFF_CREW_H

#include "bench/beff/engine.h"

/* Implement .barrier and .agree of struct beff_io for ranks that are processes of this machine. */
void beff_barrier(struct beff_rank *r);
u64 beff_agree(struct beff_rank *r, u64 n);
/* Advances the shared file pointer and returns its old value. Ranks wait for each other, in the
 * order of their numbers. BEFF_OPEN resets the pointer. */
u64 beff_take_pointer(struct beff_rank *r, u64 bytes);
/* All agents' buffers together, in bytes. An agent accesses the file for other ranks. */
u64 beff_agents_bytes(const struct beff_setup *s);

/* Implement .begin, .step and .end of struct beff_engine, for processes of this machine. */
void *beff_crew_begin(const struct beff_io *io, const struct beff_setup *setup,
		      const struct session *session);
int beff_crew_step(void *crew, const struct beff_step *step, int (*poll)(void *), void *arg,
		   struct beff_outcome *out, struct sum *app);
void beff_crew_end(void *crew);

#endif
