/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_URING_HINTS_H
#define IOSPAN_BEFF_URING_HINTS_H

#include "bench/beff/uring.h"

/* knows() of struct beff_engine: checks the key and the value of a hint. */
int beff_uring_knows(const struct beff_hint *hint);
/* Checks that the disk of @dir supports the hints. Returns 0 or -errno; prints the error. */
int beff_uring_check_hints(const char *dir, const struct beff_hints *h);
/* view() of struct beff_io: applies the hints of a pattern to the open file. */
int beff_uring_view(struct beff_rank *r);

#endif
