/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plots of a result of bench scale. */
#ifndef IOSPAN_MODEL_MODEL_HTML_H
#define IOSPAN_MODEL_MODEL_HTML_H

#include <stdio.h>

/* Draws plots of @doc, a result (struct out). Returns 0 or -errno; prints the error. */
int model_plots(FILE *f, const void *doc);

#endif
