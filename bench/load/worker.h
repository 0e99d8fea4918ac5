/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_LOAD_WORKER_H
#define IOSPAN_LOAD_WORKER_H

#include "bench/load/load.h"

/* Allocates the buffers and opens the engine. Returns 0 or -errno; prints the error. The caller
 * calls worker_close() in both cases. */
int worker_open(struct worker *w);
/* Issues requests until none are left, the order is not LOAD_RUN, or w->error is set. When it
 * returns without an error, no request is in flight. */
void worker_run(struct worker *w);
void worker_close(struct worker *w);

#endif
