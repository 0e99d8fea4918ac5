/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_BEFF_HTML_H
#define IOSPAN_BEFF_BEFF_HTML_H

#include "bench/beff/text.h"

/* Plots over the sizes of chunks, and the summary. -errno, printed. */
int beff_html(FILE *f, const void *b);

#endif
