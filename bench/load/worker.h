/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A worker: a process or thread of a load, which issues requests by an engine. */
#ifndef IOSPAN_LOAD_WORKER_H
#define IOSPAN_LOAD_WORKER_H

#include "bench/load/load.h"

/* Allocates the buffers and opens the engine. Call worker_close() afterwards even if this fails.
 * Returns 0 or -errno; prints the error. */
int worker_open(struct worker *w);
/* Issues requests until none are left, the order is no longer LOAD_RUN, or an error occurs
 * (w->error). Without an error, no request is in flight when it returns. */
void worker_run(struct worker *w);
void worker_close(struct worker *w);
void worker_count(struct worker *w, struct request *r, u64 now);

#endif
