// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/guard/node.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns a directory of a file system that is mounted nowhere, or -errno. The kernel removes the
 * file system when its last descriptor is closed, even after SIGKILL. */
static int make_directory(void)
{
	int fs = fsopen("tmpfs", FSOPEN_CLOEXEC), at = -1;

	if (fs < 0)
		return -errno;
	if (!fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		at = fsmount(fs, FSMOUNT_CLOEXEC, 0);
	if (at < 0)
		at = -errno;
	close(fs);
	return at;
}

static int open_own(dev_t dev, int flags)
{
	int at = make_directory(), fd = -1;

	if (at < 0)
		return at;
	if (!mknodat(at, "disk", S_IFBLK | 0600, dev))
		fd = openat(at, "disk", flags);
	if (fd < 0)
		fd = -errno;
	close(at);
	return fd;
}

int node_open(const char *name, dev_t dev, int flags)
{
	char path[64];
	struct stat st;
	int fd;

	flags |= O_RDONLY | O_NONBLOCK | O_CLOEXEC;
	snprintf(path, sizeof(path), "/dev/%.40s", name);
	if (stat(path, &st) || !S_ISBLK(st.st_mode) || st.st_rdev != dev)
		return open_own(dev, flags);
	fd = open(path, flags);
	if (fd < 0)
		return -errno;
	return fd;
}
