/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks a JSON result of b_eff_io (effective I/O bandwidth). */
#ifndef IOSPAN_BEFF_BEFF_VERIFY_H
#define IOSPAN_BEFF_BEFF_VERIFY_H

#include "user/result/result.h"

/* Computes the results in the file @path again, and prints the values that differ. Returns 0 if
 * none differs and the hash of the file is right; else -errno, and prints the error. */
int beff_verify(const char *path, enum out_format format);

#endif
