// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/load/ring-init.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "user/base/clock.h"
#include "user/base/err.h"

#define WAIT_NS 5000000000ULL

int ring_init(unsigned entries, struct io_uring *ring, unsigned flags)
{
	const struct timespec pause = { .tv_nsec = 5000000 };
	unsigned long long until = now_ns() + WAIT_NS;
	int ret;

	while ((ret = io_uring_queue_init(entries, ring, flags)) == -ENOMEM && now_ns() < until)
		nanosleep(&pause, NULL);
	return ret;
}

int ring_init_error(int ret, unsigned entries, const char *engine)
{
	const char *use = engine ? "; or use --engine " : "";
	struct rlimit most;

	if (ret == -ENOSYS || ret == -EPERM)
		return error(ret,
			     "this kernel has no io_uring or forbids it (see "
			     "kernel.io_uring_disabled)%s%s",
			     use, engine ?: "");
	if (ret == -ENOMEM && !getrlimit(RLIMIT_MEMLOCK, &most) && most.rlim_cur != RLIM_INFINITY)
		return error(ret,
			     "cannot create an io_uring of depth %u: io_urings of this user "
			     "already use the %llu KiB of RLIMIT_MEMLOCK; raise this limit "
			     "(ulimit -l)%s%s",
			     entries, (unsigned long long)most.rlim_cur / 1024, use, engine ?: "");
	return error(ret, "cannot create an io_uring of depth %u: %s", entries, strerror(-ret));
}
