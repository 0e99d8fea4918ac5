/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plots of the sets: experiments with cases that differ in one parameter. */
#ifndef IOSPAN_SETS_SETS_HTML_H
#define IOSPAN_SETS_SETS_HTML_H

#include "bench/sets/sets.h"

/* Draws the plots of all sets into an HTML page. Returns 0 or -errno; prints the error. */
int sets_plots(FILE *f, const void *sets);

#endif
