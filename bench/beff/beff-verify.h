/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks a JSON result of b_eff_io (effective I/O bandwidth). */
#ifndef IOSPAN_BEFF_BEFF_VERIFY_H
#define IOSPAN_BEFF_BEFF_VERIFY_H

#include <stdio.h>

#include "bench/beff/beff.h"

/* Computes the results in the file @path again, and prints each difference to @f. Returns the
 * number of differences or, after an error, -errno; prints the error. */
int beff_verify(FILE *f, const char *path);

#endif
