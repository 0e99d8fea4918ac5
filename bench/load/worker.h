/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_LOAD_WORKER_H
#define IOSPAN_LOAD_WORKER_H

#include "bench/load/load.h"

/* ---- between load.c and worker.c ---- */
int worker_open(struct worker *w);
/* Makes requests until there are none left or the order is not LOAD_RUN; nothing is in
 * flight then. */
void worker_run(struct worker *w);
void worker_close(struct worker *w);
/* The reap() of engines that end a request when it is queued. */
int engine_reap_none(struct worker *w, unsigned min, u64 until_ns);

#endif
