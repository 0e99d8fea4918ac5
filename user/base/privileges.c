// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests and drops the capabilities of iospan. */
#include "user/base/privileges.h"

#include <errno.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "user/base/err.h"

#define BIT(capability) (1ULL << (capability))
#define BPF (BIT(CAP_BPF) | BIT(CAP_PERFMON))

struct capabilities {
	uint64_t effective, permitted;
};

static struct capabilities get(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};

	syscall(SYS_capget, &head, data);
	return (struct capabilities){
		(uint64_t)data[1].effective << 32 | data[0].effective,
		(uint64_t)data[1].permitted << 32 | data[0].permitted,
	};
}

/* Sets the capabilities of the thread. The inheritable set becomes empty, and therefore the ambient
 * set as well. */
static int set(struct capabilities to)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};

	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		data[i].effective = to.effective >> 32 * i;
		data[i].permitted = to.permitted >> 32 * i;
	}
	if (syscall(SYS_capset, &head, data))
		return error(-errno, "cannot give up capabilities: %s", strerror(errno));
	return 0;
}

bool privileges_have(int capability)
{
	return get().effective & BIT(capability);
}

/* Returns true if this kernel checks capabilities in each call of bpf(): then a call for a map that
 * does not exist fails with EPERM. This is possible before Linux 5.19, commit c8644cd0efe7 ("bpf:
 * refine kernel.unprivileged_bpf_disabled behaviour"). */
static bool every_call_needs_capabilities(void)
{
	union bpf_attr attr = { .map_fd = -1 };

	return syscall(SYS_bpf, BPF_MAP_LOOKUP_ELEM, &attr, sizeof(attr)) && errno == EPERM;
}

static int drop(uint64_t dropped)
{
	struct capabilities had = get(),
			    kept = { had.effective & ~dropped, had.permitted & ~dropped };
	int ret = set((struct capabilities){ kept.effective, had.permitted });

	if (!ret && every_call_needs_capabilities()) {
		uint64_t bpf = (had.effective & BPF) == BPF ? BPF : BPF | BIT(CAP_SYS_ADMIN);

		kept.effective |= had.effective & bpf;
		kept.permitted |= had.effective & bpf;
	}
	return ret ?: set(kept);
}

int privileges_drop_tracing(void)
{
	return drop(BPF | BIT(CAP_SYS_ADMIN));
}

int privileges_drop_all(void)
{
	int ret = drop(geteuid() ? ~BIT(CAP_DAC_READ_SEARCH) : ~0ULL);

	if (!ret && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		ret = error(-errno, "cannot set no_new_privs: %s", strerror(errno));
	return ret;
}
