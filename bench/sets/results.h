/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SETS_RESULTS_H
#define IOSPAN_SETS_RESULTS_H

#include "bench/sets/sets.h"

/* Adds a set with earlier results as cases. Each of @operands, which ends with NULL, is a case: the
 * JSON files of its runs, with commas between them. Returns 0 or -errno; prints the error. */
int sets_read_results(struct sets *s, char *const *operands);

#endif
