/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_BEFF_VERIFY_H
#define IOSPAN_BEFF_BEFF_VERIFY_H

#include "bench/beff/beff.h"

/* Checks the result of b_eff_io in the file @path: computes all results again from its bytes and
 * times. Prints each difference to @f. Returns the number of differences, or -errno; prints the
 * error. */
int beff_verify(FILE *f, const char *path);

#endif
