/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_URING_HINTS_H
#define IOSPAN_BEFF_URING_HINTS_H

#include "bench/beff/uring.h"

int beff_uring_knows(const struct beff_hint *hint);
/* Can a disk do what they say? -errno, printed. */
int beff_uring_check_hints(const char *dir, const struct beff_hints *h);
/* A pattern begins, with its hints. */
int beff_uring_view(struct beff_rank *r);

#endif
