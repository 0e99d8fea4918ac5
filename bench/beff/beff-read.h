/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_BEFF_READ_H
#define IOSPAN_BEFF_BEFF_READ_H

#include "bench/beff/text.h"

/* Takes what was measured from a document, and computes what follows. -errno, printed. */
int beff_read(struct beff *b, const char *path, const struct out *doc);

#endif
