/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds functions in the BTF of the running kernel. */
#ifndef IOSPAN_BTF_H
#define IOSPAN_BTF_H

#include <bpf/btf.h>

/* Returns the kernel's BTF, which stays in memory. Returns NULL if the kernel has none. */
const struct btf *kernel_btf(void);

/* kernel_function() returns the BTF id of the kernel function @name. kernel_function_type() returns
 * the BTF id of the type of the function with BTF id @function. Both return a negative number if
 * there is no such function. */
int kernel_function(const char *name);
int kernel_function_type(int function);

#endif
