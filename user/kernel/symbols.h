/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the addresses of kernel functions. */
#ifndef IOSPAN_SYMBOLS_H
#define IOSPAN_SYMBOLS_H

#include "bpf/types.h"

/* Sets @addresses[i] to the address of kernel function @names[i]; 0: none. Takes some 100 ms. */
void symbols_find(const char *const *names, u64 *addresses, unsigned n);

#endif
