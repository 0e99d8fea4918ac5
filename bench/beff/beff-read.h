/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the JSON result of an earlier run of b_eff_io. */
#ifndef IOSPAN_BEFF_BEFF_READ_H
#define IOSPAN_BEFF_BEFF_READ_H

#include "bench/beff/beff.h"

/* Reads the measurements from @doc into @b, and computes the results. @path is the name of the file
 * for error messages. Returns 0 or -errno; prints the error. */
int beff_read(struct beff *b, const char *path, const struct out *doc);

#endif
