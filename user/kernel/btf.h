/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions in the BTF of the running kernel. */
#ifndef IOSPAN_BTF_H
#define IOSPAN_BTF_H

#include <bpf/btf.h>

/* The kernel's BTF, which stays in memory; NULL: the kernel has none. */
const struct btf *kernel_btf(void);

/* The BTF id of a function, and the id of the type of function @function; < 0: none. */
int kernel_function(const char *name);
int kernel_function_type(int function);

#endif
