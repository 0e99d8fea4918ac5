/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_MODEL_MODEL_HTML_H
#define IOSPAN_MODEL_MODEL_HTML_H

#include <stdio.h>

/* @doc: the result (struct out), with curves, regions and validation. Returns 0 or -errno; prints
 * the error. */
int model_plots(FILE *f, const void *doc);

#endif
