/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds functions in the BTF of the running kernel. */
#ifndef IOSPAN_BTF_H
#define IOSPAN_BTF_H

#include <bpf/btf.h>

/* Returns the kernel's BTF, which stays in memory. Returns NULL if the kernel has none. */
const struct btf *kernel_btf(void);

/* Return the BTF id of a kernel function, or of the type of function @function; negative: none. */
int kernel_function(const char *name);
int kernel_function_type(int function);

#endif
