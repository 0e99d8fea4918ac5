/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_CHECK_H
#define IOSPAN_BEFF_CHECK_H

#include "bench/beff/engine.h"

/* BEFF_CHECK: reads all of the rank's part of the file's bytes. */
void beff_check(struct beff_rank *r);

#endif
