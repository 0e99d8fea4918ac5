/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_MODEL_MODEL_HTML_H
#define IOSPAN_MODEL_MODEL_HTML_H

#include "bench/model/model.h"

/* Writes an HTML page with the curves, regions and validation of @m. Returns 0 or -errno; prints
 * the error. */
int model_html(FILE *f, const struct model *m);

#endif
