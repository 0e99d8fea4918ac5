// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds which bytes of the disk or file below store the bytes of a loop device or device-mapper
 * disk. */
#include "bench/guard/segments.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <linux/loop.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bench/guard/inode.h"
#include "user/base/err.h"

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
 * removed. If the backing file is a device, lo_rdevice is its number. If it is a regular file,
 * lo_rdevice is 0, or equal to lo_device on Linux 6.1. */
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

static void add_loop(struct victims *v, const struct disk *d)
{
	struct segment loop = { .size = LLONG_MAX, .dev = d->dev };
	long long limit = 0;

	if (d->partition[0] || !disk_number(d, "loop/offset", &loop.offset))
		return;
	/* .name stays empty if the path has PATH_MAX bytes or more */
	disk_backing_file(d, loop.backing.name, PATH_MAX);
	strcpy(loop.name, d->name);
	if (disk_number(d, "loop/sizelimit", &limit) && limit)
		loop.size = limit;
	identify(v->host, &loop);
	victims_add_segment(v, &loop);
}

/* The first and the largest size of the buffer for a device-mapper table. Since Linux 6.8, a table
 * has at most 2^20 segments, each of 64 bytes if it is linear. */
#define TABLE_BYTES (1 << 20)
#define TABLE_BYTES_MAX (1 << 27)

/* If a disk has more segments than this, iospan assumes that each byte may be anywhere on the disks
 * below (segment.scattered). A struct segment takes 8 KiB, so more segments would take too much
 * memory, and too much time to compare. */
#define SEGMENTS_MAX 1000

/* Returns the device-mapper table of disk @dev: the list of disks that store its data. The caller
 * frees it. NULL: the table cannot be read. */
static struct dm_ioctl *read_table(int control, dev_t dev)
{
	for (unsigned size = TABLE_BYTES; size <= TABLE_BYTES_MAX; size *= 2) {
		struct dm_ioctl *table = need(calloc(1, size));
		bool read;

		table->version[0] = DM_VERSION_MAJOR;
		table->data_size = size;
		table->data_start = sizeof(*table);
		table->dev = dev;
		table->flags = DM_STATUS_TABLE_FLAG;
		read = !ioctl(control, DM_TABLE_STATUS, table);
		if (read && !(table->flags & DM_BUFFER_FULL_FLAG))
			return table;
		free(table);
		if (!read)
			break;
	}
	return NULL;
}

/* Parses one segment of a device-mapper table into @s. Returns false if the segment is not
 * linear. */
static bool parse_target(const struct dm_target_spec *target, struct segment *s)
{
	unsigned major, minor;
	unsigned long long at;

	if (strcmp(target->target_type, "linear") != 0 ||
	    sscanf((const char *)(target + 1), "%u:%u %llu", &major, &minor, &at) != 3)
		return false;
	s->backing.dev = makedev(major, minor);
	s->start = target->sector_start << 9;
	s->size = target->length << 9;
	s->offset = at << 9;
	return true;
}

static bool is_scattered_over(const struct victims *v, const struct segment *s)
{
	for (unsigned i = 0; i < v->segments_n; i++)
		if (v->segments[i].scattered && v->segments[i].dev == s->dev &&
		    v->segments[i].backing.dev == s->backing.dev)
			return true;
	return false;
}

static void add_table(struct victims *v, const struct disk *d, const struct dm_ioctl *table)
{
	const char *data = (const char *)table + table->data_start;
	const struct dm_target_spec *target = (const void *)data;
	struct segment s = { .dev = d->dev, .backing.held = true };
	unsigned before = v->segments_n;

	strcpy(s.name, d->name);
	s.scattered = table->target_count > SEGMENTS_MAX;
	for (unsigned i = 0; i < table->target_count; i++) {
		struct disk below;

		if (!parse_target(target, &s)) {
			/* This disk is not linear, so remove its segments. For a disk without
			 * segments, reach_slaves() assumes that all bytes of the lower disks are
			 * affected. */
			v->segments_n = before;
			return;
		}
		target = (const void *)(data + target->next);
		if (is_scattered_over(v, &s))
			continue;
		s.backing.name[0] = '\0';
		if (!disk_by_dev(v->host, s.backing.dev, &below))
			strcpy(s.backing.name, below.partition[0] ? below.partition : below.name);
		victims_add_segment(v, &s);
	}
}

static void add_mapped(struct victims *v, const struct disk *d, int control)
{
	struct dm_ioctl *table = read_table(control, d->dev);

	if (table)
		add_table(v, d, table);
	free(table);
}

void segments_read(struct victims *v)
{
	int control = open("/dev/mapper/control", O_RDWR | O_CLOEXEC);
	char path[PATH_MAX];
	struct dirent *e;
	struct disk d;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/class/block", v->host->sys);
	dir = opendir(path);
	while (dir && (e = readdir(dir))) {
		bool loop = !strncmp(e->d_name, "loop", 4);
		bool mapped = control >= 0 && !strncmp(e->d_name, "dm-", 3);

		if ((!loop && !mapped) || disk_by_name(v->host, e->d_name, &d))
			continue;
		if (loop)
			add_loop(v, &d);
		else
			add_mapped(v, &d, control);
	}
	if (dir)
		closedir(dir);
	if (control >= 0)
		close(control);
}
