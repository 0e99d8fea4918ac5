// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/base/out-finish.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "user/base/err.h"

/* Returns true if @f is a pipe or socket without a reader. */
static bool is_unread(FILE *f)
{
	struct pollfd p = { .fd = fileno(f), .events = POLLOUT };

	return poll(&p, 1, 0) == 1 && p.revents & POLLERR;
}

int out_finish(FILE *f, const char *name)
{
	/* If an earlier write failed, stdio has not kept its errno. fflush() usually fails again
	 * for the same reason. */
	errno = 0;
	if (fflush(f) == 0 && !ferror(f))
		return 0;
	if (is_unread(f))
		errno = EPIPE;
	if (!errno)
		errno = EIO;
	if (f == stdout && errno == EPIPE)
		return -EPIPE;
	return error(-errno, "cannot write to '%s': %s", name, strerror(errno));
}
