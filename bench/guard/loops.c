// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/guard/loops.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "bench/guard/inode.h"
#include "user/base/err.h"

/* follows a file through at most this many overlays on top of each other; the kernel allows two */
#define LAYERS 8

/* Asks the kernel which file loop device @name uses, and sets the device numbers and inode of
 * @backing to it. This also finds a file that was renamed or removed. If the file is no device,
 * Linux 6.1 returns lo_device in lo_rdevice. Returns false if the kernel does not know. */
static bool ask_loop(const char *name, struct victim *backing)
{
	struct loop_info64 info;
	char path[64];
	bool known;
	int fd;

	snprintf(path, sizeof(path), "/dev/%.40s", name);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	known = !ioctl(fd, LOOP_GET_STATUS64, &info);
	close(fd);
	if (!known)
		return false;
	backing->file = !info.lo_rdevice || info.lo_rdevice == info.lo_device;
	backing->dev = backing->file ? info.lo_device : info.lo_rdevice;
	backing->inode = backing->file ? info.lo_inode : 0;
	return true;
}

/* Fills in @backing, the backing file of loop device @loop, from its name. If a network or FUSE
 * server provides the file, only the name is set. */
static void identify(const struct host *h, const char *loop, struct victim *backing)
{
	struct statx st;

	backing->file = true;
	if (!file_find_mount(h, backing) && !disk_is_memfd(backing->name))
		return;
	if (!ask_loop(loop, backing) && file_stat(h, backing->name, &st)) {
		backing->file = !S_ISBLK(st.stx_mode);
		backing->dev = backing->file ? makedev(st.stx_dev_major, st.stx_dev_minor) :
					       makedev(st.stx_rdev_major, st.stx_rdev_minor);
		backing->inode = backing->file ? st.stx_ino : 0;
	}
	for (int i = 0; i < LAYERS && backing->file && file_enter_layer(h, backing); i++)
		;
}

static bool read_loop(const struct host *h, const char *name, struct segment *loop)
{
	long long limit = 0;
	struct disk d;

	*loop = (struct segment){ .size = LLONG_MAX };
	if (strncmp(name, "loop", 4) != 0 || disk_by_name(h, name, &d) || d.partition[0] ||
	    !disk_backing_file(&d, loop->backing.name, PATH_MAX))
		return false;
	loop->dev = d.dev;
	strcpy(loop->name, d.name);
	disk_number(&d, "loop/offset", &loop->offset);
	if (disk_number(&d, "loop/sizelimit", &limit) && limit)
		loop->size = limit;
	identify(h, name, &loop->backing);
	return true;
}

void loops_read(struct victims *v)
{
	char path[PATH_MAX];
	struct dirent *e;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/class/block", v->host->sys);
	dir = opendir(path);
	while (dir && (e = readdir(dir))) {
		struct segment loop;

		if (read_loop(v->host, e->d_name, &loop))
			victims_add_segment(v, &loop);
	}
	if (dir)
		closedir(dir);
}
