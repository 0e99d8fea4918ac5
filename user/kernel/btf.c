// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/kernel/btf.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/types.h"

/* The kernel's BTF is 5 MB, so it is read only once and kept. */
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

/* Replaces libbpf's function of this name. If the kernel lacks an optional function such as
 * bpf_rdonly_cast(), libbpf searches the BTF of modules, which needs CAP_SYS_ADMIN. Without it, the
 * kernel returns EPERM, and libbpf 1.1 fails. So this function returns ENOENT (no modules) instead.
 * It is weak, because a static libbpf also defines it. */
__attribute__((weak)) int bpf_btf_get_next_id(u32 start_id, u32 *next_id)
{
	union bpf_attr attr = { .start_id = start_id };

	if (syscall(SYS_bpf, BPF_BTF_GET_NEXT_ID, &attr, sizeof(attr))) {
		errno = errno == EPERM ? ENOENT : errno;
		return -errno;
	}
	*next_id = attr.next_id;
	return 0;
}
