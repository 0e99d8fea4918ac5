/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hints for the engine uring of b_eff_io. A hint sets an option for some patterns, which are series
 * of calls with one chunk size. */
#ifndef IOSPAN_BEFF_URING_HINTS_H
#define IOSPAN_BEFF_URING_HINTS_H

#include "bench/beff/uring.h"

/* Checks key and value of a hint; implements .knows of struct beff_engine. */
int beff_uring_knows(const struct beff_hint *hint);
/* If a hint asks for polled I/O (iopoll), checks that the disk below @dir supports it. Returns 0 or
 * -errno; prints the error. */
int beff_uring_check_hints(const char *dir, const struct beff_hints *h);
/* Applies the hints for a pattern to the open file; implements .view of struct beff_io. */
int beff_uring_view(struct beff_rank *r);

#endif
