// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/load/ring-init.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/privileges.h"

#define WAIT_NS 10000000000ULL

/* Sets *@bytes to RLIMIT_MEMLOCK. Returns false if this limit does not apply to the process. */
static bool locked_limit(unsigned long long *bytes)
{
	struct rlimit most;

	if (privileges_have(CAP_IPC_LOCK) || getrlimit(RLIMIT_MEMLOCK, &most) ||
	    most.rlim_cur == RLIM_INFINITY)
		return false;
	*bytes = most.rlim_cur;
	return true;
}

/* Returns a lower bound of the size of a ring in bytes. A ring has room for @entries submissions
 * and for twice as many completions. */
static unsigned long long ring_bytes(unsigned entries)
{
	return entries * (sizeof(struct io_uring_sqe) + 2ULL * sizeof(struct io_uring_cqe));
}

int ring_init(unsigned entries, struct io_uring *ring, unsigned flags)
{
	const struct timespec pause = { .tv_nsec = 5000000 };
	unsigned long long until = now_ns() + WAIT_NS, most;
	int ret;

	while ((ret = io_uring_queue_init(entries, ring, flags)) == -ENOMEM &&
	       locked_limit(&most) && ring_bytes(entries) < most && now_ns() < until)
		nanosleep(&pause, NULL);
	return ret;
}

int ring_init_error(int ret, unsigned entries, const char *engine)
{
	const char *use = engine ? "; or use --engine " : "";
	unsigned long long most;

	if (ret == -ENOSYS || ret == -EPERM)
		return error(ret,
			     "this kernel has no io_uring or forbids it (see "
			     "kernel.io_uring_disabled)%s%s",
			     use, engine ?: "");
	if (ret == -ENOMEM && locked_limit(&most))
		return error(ret,
			     "cannot create an io_uring of depth %u: RLIMIT_MEMLOCK, %llu KiB for "
			     "all io_urings of this user, is too low; raise it (ulimit -l)%s%s",
			     entries, most / 1024, use, engine ?: "");
	return error(ret, "cannot create an io_uring of depth %u: %s", entries, strerror(-ret));
}
