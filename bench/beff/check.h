/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The final check of the files of b_eff_io, by its processes (ranks). A chunk is a contiguous piece
 * of data that one rank wrote. */
#ifndef IOSPAN_BEFF_CHECK_H
#define IOSPAN_BEFF_CHECK_H

#include "bench/beff/engine.h"

/* Reads this rank's part of the files and checks its bytes (the step BEFF_CHECK). Stores the number
 * of wrong chunks and the errors in r->out. */
void beff_check(struct beff_rank *r);

#endif
