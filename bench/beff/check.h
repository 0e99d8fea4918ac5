/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_CHECK_H
#define IOSPAN_BEFF_CHECK_H

#include "bench/beff/engine.h"

/* Checks this rank's part of the files (BEFF_CHECK). Stores wrong chunks and errors in r->out. */
void beff_check(struct beff_rank *r);

#endif
