/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts the accesses of a replay, and finds which accesses must wait for others. */
#ifndef IOSPAN_REPLAY_ORDER_H
#define IOSPAN_REPLAY_ORDER_H

#include "bench/replay/replay.h"

/* Sorts the accesses by process and start, and sets the fields that depend on this order. */
void replay_order(struct replay *r);

#endif
