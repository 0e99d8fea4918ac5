/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ranks (processes) of b_eff_io on this machine. Ranks access files by an engine, such as
 * io_uring, and run the steps of the benchmark together. */
#ifndef IOSPAN_BEFF_CREW_H
#define IOSPAN_BEFF_CREW_H

#include "bench/beff/engine.h"

/* Implement .barrier and .agree of struct beff_io for ranks that are processes of this machine. */
void beff_barrier(struct beff_rank *r);
u64 beff_agree(struct beff_rank *r, u64 n);
/* Advances the shared file pointer by @bytes and returns its old value. Ranks advance the pointer
 * in the order of their numbers, so a rank waits until all lower ranks have advanced it. The step
 * BEFF_OPEN sets the pointer to 0. */
u64 beff_take_pointer(struct beff_rank *r, u64 bytes);
/* Returns the size of all agents' buffers together, in bytes. An agent is a rank that accesses the
 * file for other ranks. */
u64 beff_agents_bytes(const struct beff_setup *s);

/* Implement .begin, .step and .end of struct beff_engine for ranks that are processes of this
 * machine. */
void *beff_crew_begin(const struct beff_io *io, const struct beff_setup *setup,
		      const struct session *session);
int beff_crew_step(void *crew, const struct beff_step *step, int (*poll)(void *), void *arg,
		   struct beff_outcome *out, struct sum *app);
void beff_crew_end(void *crew);

#endif
