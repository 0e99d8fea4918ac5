/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SETS_SETS_HTML_H
#define IOSPAN_SETS_SETS_HTML_H

#include "bench/sets/sets.h"

/* Writes an HTML page with the figures of @sets, a struct sets. Returns 0 or -errno; prints the
 * error. */
int sets_html(FILE *f, const void *sets);

#endif
