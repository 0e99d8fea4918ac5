// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/top/messages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "user/base/err.h"

/* .collected: memfd with the messages. .stderr_fd: duplicate of the original descriptor of stderr.
 */
static struct {
	int collected, stderr_fd;
} messages = { -1, -1 };

int messages_hold(void)
{
	messages.collected = memfd_create("messages", MFD_CLOEXEC);
	messages.stderr_fd = dup(STDERR_FILENO);
	if (messages.collected < 0 || messages.stderr_fd < 0)
		return error(-errno, "cannot hold messages back: %s", strerror(errno));
	fflush(stderr);
	dup2(messages.collected, STDERR_FILENO);
	return 0;
}

void messages_release(void)
{
	char buf[4096];
	ssize_t n;

	fflush(stderr);
	dup2(messages.stderr_fd, STDERR_FILENO);
	lseek(messages.collected, 0, SEEK_SET);
	while ((n = read(messages.collected, buf, sizeof(buf))) > 0)
		fwrite(buf, 1, n, stderr);
	close(messages.stderr_fd);
	close(messages.collected);
}
