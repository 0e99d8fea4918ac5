/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A worker of a replay. It issues the accesses of a recorded process, instead of random
 * requests. */
#ifndef IOSPAN_REPLAY_PLAYER_H
#define IOSPAN_REPLAY_PLAYER_H

#include "bench/load/load.h"

/* Issues the accesses of process w->number. w->spec->run_arg is a struct replay. */
void replay_worker(struct worker *w);

#endif
