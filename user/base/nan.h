/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gcc includes this file first in every C file of user space (Makefile).
 *
 * In math.h, NAN and INFINITY are of type float. So is `cond ? bytes : NAN`, which keeps only 24
 * bits; no warning of gcc 12 finds it without many false positives. Here both are of type
 * double. */
#ifndef IOSPAN_NAN_H
#define IOSPAN_NAN_H

#include <math.h>

#undef NAN
#undef INFINITY
#define NAN __builtin_nan("")
#define INFINITY __builtin_inf()

#endif
