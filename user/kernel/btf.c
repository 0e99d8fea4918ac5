// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/kernel/btf.h"

#include <errno.h>
#include <stdbool.h>

/* Reads the kernel's BTF once and keeps it, so that its 5 MB are not parsed again for each call. */
const struct btf *kernel_btf(void)
{
	static struct btf *btf;
	static bool tried;

	if (!tried)
		btf = btf__parse("/sys/kernel/btf/vmlinux", NULL);
	tried = true;
	return btf;
}

int kernel_function(const char *name)
{
	return kernel_btf() ? btf__find_by_name_kind(kernel_btf(), name, BTF_KIND_FUNC) : -ENOENT;
}

int kernel_function_type(int function)
{
	return function < 0 ? function : (int)btf__type_by_id(kernel_btf(), function)->type;
}
