/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Makefile makes gcc include this file at the start of every C file of user space.
 *
 * In math.h, NAN and INFINITY have type float. `cond ? bytes : NAN` is then a float too, which
 * keeps only 24 bits of the integer. No warning of gcc 12 finds this without many false positives.
 * This file defines both with type double. */
#ifndef IOSPAN_NAN_H
#define IOSPAN_NAN_H

#include <math.h>

#undef NAN
#undef INFINITY
#define NAN __builtin_nan("")
#define INFINITY __builtin_inf()

#endif
