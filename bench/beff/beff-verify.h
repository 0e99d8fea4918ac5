/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BEFF_BEFF_VERIFY_H
#define IOSPAN_BEFF_BEFF_VERIFY_H

#include "bench/beff/text.h"

/* Computes all again that follows from bytes and times in @doc, and says on @f where it is
 * not what the document says. How many differences there are, or -errno, printed. */
int beff_verify(FILE *f, const char *path);

#endif
