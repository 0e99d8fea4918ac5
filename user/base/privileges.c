// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/base/privileges.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "user/base/err.h"

#define BIT(capability) (1ULL << (capability))

bool privileges_have(int capability)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	if (syscall(SYS_capget, &head, data) < 0)
		return false;
	return data[CAP_TO_INDEX(capability)].effective & CAP_TO_MASK(capability);
}

static uint64_t to_keep(uint64_t permitted)
{
	const uint64_t bpf = BIT(CAP_BPF) | BIT(CAP_PERFMON);

	return permitted & ((permitted & bpf) == bpf ? bpf : bpf | BIT(CAP_SYS_ADMIN));
}

int privileges_keep_bpf(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {};
	uint64_t keep;
	int ret;

	ret = syscall(SYS_capget, &head, data);
	keep = to_keep((uint64_t)data[1].permitted << 32 | data[0].permitted);
	for (int i = 0; i < 2; i++) {
		data[i].effective = data[i].permitted = keep >> 32 * i;
		data[i].inheritable = 0;
	}
	if (ret || syscall(SYS_capset, &head, data) ||
	    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return error(-errno, "cannot give up capabilities: %s", strerror(errno));
	return 0;
}
