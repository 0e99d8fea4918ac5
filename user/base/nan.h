/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gcc includes this file first in every C file of user space (Makefile).
 *
 * This file makes NAN and INFINITY constants of type double. In math.h, these constants have type
 * float. With the constants of math.h, `cond ? bytes : NAN` has type float, too, and keeps only 24
 * bits of an integer. No warning of gcc 12 finds this loss without many false positives. */
#ifndef IOSPAN_NAN_H
#define IOSPAN_NAN_H

#include <math.h>

#undef NAN
#undef INFINITY
#define NAN __builtin_nan("")
#define INFINITY __builtin_inf()

#endif
