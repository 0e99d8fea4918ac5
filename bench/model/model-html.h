/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_MODEL_MODEL_HTML_H
#define IOSPAN_MODEL_MODEL_HTML_H

#include <stdio.h>

/* Writes plots of the curves, regions and validation into a page. @doc: the sealed document of a
 * result. Returns 0 or -errno; prints the error. */
int model_plots(FILE *f, const void *doc);

#endif
