/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the addresses of kernel functions in /proc/kallsyms. */
#ifndef IOSPAN_SYMBOLS_H
#define IOSPAN_SYMBOLS_H

#include "bpf/types.h"

/* Sets @addresses[i] to the address of the kernel function @names[i]. Sets it to 0 if there is no
 * such function, or if the kernel hides the addresses. Reading /proc/kallsyms takes some 100 ms, so
 * this is done only once. */
void symbols_find(const char *const *names, u64 *addresses, unsigned n);

#endif
