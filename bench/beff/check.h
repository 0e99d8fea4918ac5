/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_CHECK_H
#define IOSPAN_BEFF_CHECK_H

#include "bench/beff/engine.h"

/* Runs the step BEFF_CHECK: reads and checks this rank's part of the file. Results and errors are
 * in r->out. */
void beff_check(struct beff_rank *r);

#endif
