/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks a JSON result of b_eff_io (effective I/O bandwidth). */
#ifndef IOSPAN_BEFF_BEFF_VERIFY_H
#define IOSPAN_BEFF_BEFF_VERIFY_H

#include "user/result/view.h"

/* Computes the results in the file @path again. Returns a document with the values that differ, and
 * sets @differences to their number. The caller frees the document. After an error, prints it and
 * returns NULL. */
struct out *beff_verify(const char *path, int *differences);
extern const struct view beff_verify_views[];

#endif
