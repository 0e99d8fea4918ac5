/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SETS_SETS_HTML_H
#define IOSPAN_SETS_SETS_HTML_H

#include "bench/sets/sets.h"

int sets_html(FILE *f, const void *sets); /* -errno, printed */

#endif
