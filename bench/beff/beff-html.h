/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_BEFF_HTML_H
#define IOSPAN_BEFF_BEFF_HTML_H

#include "bench/beff/text.h"

/* Writes the plots over chunk size and the summary. Returns 0 or -errno; prints the error. */
int beff_html(FILE *f, const void *b);

#endif
