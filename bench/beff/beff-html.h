/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plots of the result of b_eff_io (effective I/O bandwidth). */
#ifndef IOSPAN_BEFF_BEFF_HTML_H
#define IOSPAN_BEFF_BEFF_HTML_H

#include <stdio.h>

#include "bench/beff/beff.h"

/* Draws plots of @runs into an HTML page. @runs is an array of struct beff * that ends with NULL.
 * Returns 0 or -errno; prints the error. */
int beff_plots(FILE *f, const void *runs);
/* Draws b_eff_io over the number of processes: a curve for each of @runs, with its name in @names.
 * Draws nothing if all partitions have the same number of processes. */
int beff_processes_plot(FILE *f, struct beff *const *runs, char *const *names);

#endif
