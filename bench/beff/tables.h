/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_TABLES_H
#define IOSPAN_BEFF_TABLES_H

#include "bench/beff/text.h"

/* Prints tables that compare @n runs with different hints, like tables 2 and 3 of the paper. */
void beff_tables(FILE *f, const struct beff *const *sets, unsigned n);

#endif
