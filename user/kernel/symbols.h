/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses of functions of the kernel. */
#ifndef IOSPAN_SYMBOLS_H
#define IOSPAN_SYMBOLS_H

#include "bpf/types.h"

/* Sets each of the @n @addresses to that of the function with this name, or to 0 if the kernel has
 * no such function or hides the addresses. Reads /proc/kallsyms once, which takes some 100 ms. */
void symbols_find(const char *const *names, u64 *addresses, unsigned n);

#endif
