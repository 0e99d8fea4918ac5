/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the addresses of kernel functions in /proc/kallsyms. */
#ifndef IOSPAN_SYMBOLS_H
#define IOSPAN_SYMBOLS_H

#include "bpf/types.h"

/* Sets @addresses[i] to the address of the kernel function @names[i], or to 0 if the kernel has
 * none or hides the addresses. Reads /proc/kallsyms once, which takes some 100 ms. */
void symbols_find(const char *const *names, u64 *addresses, unsigned n);

#endif
