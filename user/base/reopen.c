// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/base/reopen.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

int reopen(int fd, int flags)
{
	char self[32];
	int again;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	again = open(self, flags | O_CLOEXEC | O_NOCTTY);
	if (again < 0)
		return -errno;
	return again;
}
