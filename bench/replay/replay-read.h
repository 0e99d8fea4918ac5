/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the accesses of a replay from a trace. */
#ifndef IOSPAN_REPLAY_READ_H
#define IOSPAN_REPLAY_READ_H

#include "bench/replay/replay.h"

/* Reads the layer r->layer of the trace r->path, and calls replay_order(). Returns 0 or -errno;
 * prints the error. If a signal is pending, returns -EINTR and prints nothing. The caller calls
 * replay_release() in all cases. */
int replay_read(struct replay *r);
void replay_release(struct replay *r);

#endif
