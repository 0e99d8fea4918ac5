/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_MODEL_MODEL_HTML_H
#define IOSPAN_MODEL_MODEL_HTML_H

#include "bench/model/model.h"

/* A page with its curves, regions and validation. -errno, printed. */
int model_html(FILE *f, const struct model *m);

#endif
