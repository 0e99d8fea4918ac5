/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plot of the burstiness rho of a layer against the interval length and the threshold. */
#ifndef IOSPAN_CHARACTERIZE_SURFACE_HTML_H
#define IOSPAN_CHARACTERIZE_SURFACE_HTML_H

#include "tools/characterize/character.h"

/* Writes the plot to @f. For a trace, the first column is rho of the exact busy and idle
 * periods. Returns 0 or -errno; prints the error. */
int surface_html(FILE *f, const struct character *c);

#endif
