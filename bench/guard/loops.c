// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the backing file of each loop device: the file that stores its data. The file may be in an
 * overlay (overlayfs); then a layer of the overlay stores the data. */
#include "bench/guard/loops.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bench/guard/inode.h"
#include "bench/guard/node.h"

/* A file in an overlay may be stored in another overlay. iospan follows at most this many overlays;
 * the kernel allows two on top of each other. */
#define LAYERS 8

#define ANSWER_MS 10000 /* longest wait for the answer of a file server, in ms */

/* In a child process: writes the loop device's status to @to. Closes all other descriptors, because
 * the child may outlive iospan. */
static void write_status(const struct segment *loop, int to)
{
	struct loop_info64 info;
	int fd;

	dup2(to, 0);
	close_range(1, ~0U, 0);
	fd = node_open(loop->name, loop->dev, 0);
	if (fd >= 0 && !ioctl(fd, LOOP_GET_STATUS64, &info) && write(0, &info, sizeof(info)) > 0)
		_exit(0);
	_exit(1);
}

/* Reads the status of the loop device. To get the status, the kernel may ask a file server. A
 * process that waits for a FUSE server cannot be ended, not even by SIGKILL, so a child process
 * reads the status. Returns false if the server does not respond. */
static bool read_status(const struct segment *loop, struct loop_info64 *info)
{
	struct pollfd from = { .events = POLLIN };
	bool answered, known;
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return false;
	pid = fork();
	if (!pid)
		write_status(loop, ends[1]);
	close(ends[1]);
	from.fd = ends[0];
	answered = pid > 0 && poll(&from, 1, ANSWER_MS) == 1;
	known = answered && read(ends[0], info, sizeof(*info)) == sizeof(*info);
	close(ends[0]);
	if (pid > 0 && waitpid(pid, NULL, answered ? 0 : WNOHANG) == 0)
		kill(pid, SIGKILL);
	return known;
}

/* Asks the kernel for the backing file. The kernel knows the file even if it was renamed or
 * removed. If the backing file is a device, lo_rdevice is its number. Otherwise lo_rdevice is 0,
 * except on Linux 6.1, which sets it to lo_device. */
static bool ask_loop(struct segment *loop)
{
	struct victim *backing = &loop->backing;
	struct loop_info64 info;

	if (!read_status(loop, &info))
		return false;
	backing->file = !info.lo_rdevice || info.lo_rdevice == info.lo_device;
	backing->dev = backing->file ? info.lo_device : info.lo_rdevice;
	backing->inode = backing->file ? info.lo_inode : 0;
	return true;
}

/* Asks the kernel for the backing file. If the kernel does not answer, looks up the file by its
 * name, but only on local storage. If this fails too, only the name is known. */
static void identify(const struct host *h, struct segment *loop)
{
	struct victim *backing = &loop->backing;
	struct statx st;
	bool local;

	backing->file = true;
	/* The path may belong to another mount namespace. In iospan's own namespace, the same path
	 * may lead elsewhere, even to a pseudo file system. So iospan uses the path only on a mount
	 * of local storage. */
	local = backing->name[0] == '/' && file_find_mount(h, backing);
	if (!ask_loop(loop) && local && file_stat(h, backing->name, &st)) {
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
	    !disk_number(&d, "loop/offset", &loop->offset))
		return false;
	/* .name stays empty if the path has PATH_MAX bytes or more */
	disk_backing_file(&d, loop->backing.name, PATH_MAX);
	loop->dev = d.dev;
	strcpy(loop->name, d.name);
	if (disk_number(&d, "loop/sizelimit", &limit) && limit)
		loop->size = limit;
	identify(h, loop);
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
