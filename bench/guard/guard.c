// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens the target of a benchmark, unless that could destroy data of another user (the guard). */
#include "bench/guard/guard.h"
#include "bench/guard/use.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>
#include "bpf/fsmagic.h"
#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/reopen.h"

/* a load must leave this percentage of the free space of the file system unused */
#define SPARE_PER_CENT 5
#define ADVICE 96 /* size of the buffer of advice(), in bytes */

/* Returns advice for a load that needs too many bytes, such as "use --unique-bytes 1G or less".
 * @room: number of bytes of the target. @buf gets the text if it contains the name of an option. */
static const char *advice(char buf[ADVICE], const struct guard_options *o, u64 room)
{
	const struct guard_amount *a = &o->amount;
	char value[NUM_TEXT];
	u64 each;

	if (!a->option)
		return "use less data";
	each = room / (o->bytes / a->bytes);
	each -= each % a->align;
	if (each < a->at_least)
		return "use a larger target, fewer processes or smaller requests";
	snprintf(buf, ADVICE, "use %s %s or less", a->option,
		 num_size_arg(value, each * a->processes));
	return buf;
}

static int check_size(const char *path, u64 has, const struct guard_options *o)
{
	char a[NUM_TEXT], b[NUM_TEXT], use[ADVICE];

	if (has >= o->bytes)
		return 0;
	return error(-EFBIG, "'%s' has only %s, but %s are needed; %s", path,
		     num_bytes_text(a, has), num_bytes_text(b, o->bytes), advice(use, o, has));
}

static int check_space(const char *path, int at, u64 needed, const struct guard_options *o)
{
	char a[NUM_TEXT], b[NUM_TEXT], use[ADVICE];
	struct statvfs fs;
	double free, room;

	if (fstatvfs(at, &fs))
		return error(-errno, "cannot get the free space of '%s': %s", path,
			     strerror(errno));
	free = (double)fs.f_bavail * fs.f_frsize;
	room = free * (100 - SPARE_PER_CENT) / 100;
	/* A file system without a size limit reports 0 blocks. Its free space is not checked. */
	if (fs.f_blocks && needed > room)
		return error(-ENOSPC,
			     "the file system of '%s' has %s free, of which %d %% must stay free: "
			     "%s is too much; %s",
			     path, num_bytes_text(a, free), SPARE_PER_CENT,
			     num_bytes_text(b, needed), advice(use, o, room));
	return 0;
}

static int check_file_limit(const struct guard_options *o)
{
	char a[NUM_TEXT], b[NUM_TEXT], use[ADVICE];
	struct rlimit max;

	if (!getrlimit(RLIMIT_FSIZE, &max) && o->bytes > max.rlim_cur)
		return error(-EFBIG,
			     "files may not grow beyond %s (ulimit -f): %s is too "
			     "much; raise the limit, or %s",
			     num_bytes_text(a, max.rlim_cur), num_bytes_text(b, o->bytes),
			     advice(use, o, max.rlim_cur));
	return 0;
}

/* Removes the name of the file @fd. Returns -ESTALE, and removes nothing, if the name @name now
 * belongs to another file. */
static int remove_name(int at, const char *name, int fd)
{
	struct stat file, named;

	if (fstat(fd, &file) || fstatat(at, name, &named, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? -ESTALE : -errno;
	if (file.st_dev != named.st_dev || file.st_ino != named.st_ino)
		return -ESTALE;
	return unlinkat(at, name, 0) ? -errno : 0;
}

/* Creates a file without a name on a file system that lacks O_TMPFILE: creates a name, then removes
 * it. Blocks signals in between, because a signal could end iospan and leave the file behind. */
static int create_and_unlink(int at)
{
	sigset_t all, before;
	int fd = -EEXIST, ret;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	for (int i = 0; i < 100 && fd == -EEXIST; i++) {
		unsigned long long random;
		char name[40];

		if (getrandom(&random, sizeof(random), 0) != sizeof(random))
			break;
		snprintf(name, sizeof(name), ".iospan-%016llx", random);
		fd = openat(at, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		ret = fd < 0 ? 0 : remove_name(at, name, fd);
		if (fd < 0) {
			fd = -errno;
		} else if (ret) {
			close(fd);
			fd = ret;
		}
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return fd;
}

static int open_in_directory(const char *path, int at, const struct guard_options *o,
			     struct guard *g)
{
	int ret = check_space(path, at, o->bytes, o) ?: check_file_limit(o);

	if (ret)
		return ret;
	g->fd = openat(at, ".", O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
	if (g->fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
		g->fd = create_and_unlink(at);
	else if (g->fd < 0)
		g->fd = -errno;
	if (g->fd == -ESTALE)
		return error(g->fd,
			     "cannot create a file in '%s': another user renamed it; give a "
			     "directory that others cannot change",
			     path);
	if (g->fd < 0)
		return error(g->fd, "cannot create a file in '%s': %s", path, strerror(-g->fd));
	return 0;
}

/* Refuses a file that another user has open. The kernel grants a write lease only if no other
 * descriptor, mapping, loop device or swap area uses the file. A mount of the file does not prevent
 * the lease, because it has no descriptor. An overlay does not prevent it either, because it uses
 * another inode. guard_find_file_use() finds both. */
static int check_alone(const char *path, int fd, const struct host *h, const struct stat *st)
{
	struct guard_use use;

	if (!fcntl(fd, F_SETLEASE, F_WRLCK))
		fcntl(fd, F_SETLEASE, F_UNLCK);
	else if (errno == EAGAIN)
		return error(-EBUSY, "'%s' is in use: a program, a loop device or swap has it open",
			     path);
	if (guard_find_file_use(h, fd, st, &use))
		return error(-EBUSY, "'%s' %s: it will not be written", path, use.why);
	return 0;
}

/* Checks the free space, because a write to a hole of a sparse file allocates blocks. The load may
 * write to any part of the file, and so fill all holes, up to @o->bytes. */
static int check_holes(const char *path, int fd, const struct stat *st,
		       const struct guard_options *o)
{
	u64 size = st->st_size, stored = st->st_blocks * 512ULL;
	u64 holes = size > stored ? size - stored : 0;

	return holes ? check_space(path, fd, holes < o->bytes ? holes : o->bytes, o) : 0;
}

static int guard_open_file(const char *path, int at, const struct guard_options *o,
			   const struct stat *st, struct guard *g)
{
	int ret;

	if (o->write && !o->destroy)
		return error(-EPERM,
			     "'%s' is an existing file: give a directory to work in, "
			     "or --destroy to overwrite the file",
			     path);
	g->fd = reopen(at, o->write ? O_RDWR : O_RDONLY);
	if (g->fd < 0)
		return error(g->fd, "cannot open '%s': %s", path, strerror(-g->fd));
	g->bytes = st->st_size;
	if (!g->bytes)
		return error(-EINVAL, "'%s' is empty; give a file with data", path);
	ret = check_size(path, g->bytes, o);
	if (ret || !o->write)
		return ret;
	ret = check_file_limit(o) ?: check_holes(path, g->fd, st, o);
	return ret ?: check_alone(path, g->fd, o->host ?: &this_host, st);
}

/* Opens the device with O_EXCL, which the kernel grants to one user only: a file system, swap or
 * stacked disk. So iospan also finds users that /proc and /sys do not show. */
static int claim_device(const char *path, int at, const struct host *h, dev_t dev, struct guard *g,
			struct guard_use *use)
{
	g->fd = reopen(at, O_RDWR | O_EXCL);
	if (guard_find_use(h, dev, use))
		return error(-EBUSY, "'%s' %s: it will not be written", path, use->why);
	if (g->fd == -EBUSY)
		return error(-EBUSY,
			     "'%s' is busy: a file system, swap, another disk or a "
			     "program that iospan cannot see has claimed it",
			     path);
	if (g->fd == -EROFS || g->fd == -EACCES)
		return error(g->fd,
			     "cannot write '%s': the device is read-only, or permission "
			     "is denied",
			     path);
	if (g->fd < 0)
		return error(g->fd, "cannot open '%s': %s", path, strerror(-g->fd));
	return 0;
}

static int check_device(const char *path, const struct guard_options *o,
			const struct guard_use *use, struct guard *g)
{
	int read_only = 0, ret;

	if (ioctl(g->fd, BLKGETSIZE64, &g->bytes))
		return error(-errno, "cannot get the size of '%s': %s", path, strerror(errno));
	if (!g->bytes)
		return error(-ENODEV, "'%s' has size 0: it has no medium or no backing file", path);
	ret = check_size(path, g->bytes, o);
	if (ret || !o->write)
		return ret;
	if (ioctl(g->fd, BLKROGET, &read_only) || read_only)
		return error(-EROFS, "'%s' is read-only", path);
	return guard_check_signature(path, g->fd, o->signature, use->has_partitions);
}

static int guard_open_device(const char *path, int at, const struct guard_options *o, dev_t dev,
			     struct guard *g)
{
	struct guard_use use = { .has_partitions = false };
	int ret = 0;

	if (o->write && !o->destroy)
		return error(-EPERM,
			     "'%s' is a block device: give --destroy to overwrite it; "
			     "its data will be lost",
			     path);
	if (o->write) {
		ret = claim_device(path, at, o->host ?: &this_host, dev, g, &use);
	} else {
		g->fd = reopen(at, O_RDONLY);
		if (g->fd < 0)
			ret = error(g->fd, "cannot open '%s': %s", path, strerror(-g->fd));
	}
	return ret ?: check_device(path, o, &use, g);
}

static int guard_open_kind(const char *path, int at, const struct guard_options *o, struct guard *g)
{
	struct statfs fs;
	struct stat st;

	if (fstat(at, &st) || fstatfs(at, &fs))
		return error(-errno, "cannot examine '%s': %s", path, strerror(errno));
	if (S_ISBLK(st.st_mode)) {
		g->kind = GUARD_DEVICE;
		return guard_open_device(path, at, o, st.st_rdev, g);
	}
	if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
		return error(-EINVAL, "'%s' is neither a directory, a file nor a block device",
			     path);
	if (fs_is_pseudo(fs.f_type))
		return error(-EINVAL, "'%s' is on a pseudo file system, which is no storage", path);
	g->kind = S_ISDIR(st.st_mode) ? GUARD_DIRECTORY : GUARD_FILE;
	return g->kind == GUARD_DIRECTORY ? open_in_directory(path, at, o, g) :
					    guard_open_file(path, at, o, &st, g);
}

/* Sets O_DIRECT, so that I/O bypasses the page cache. Call this only after the check for
 * signatures, because that check reads at unaligned offsets. */
static int set_direct(const char *path, int fd)
{
	if (!fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_DIRECT))
		return 0;
	return error(-errno,
		     "'%s' does not support direct I/O: %s; use the page cache "
		     "instead",
		     path, strerror(errno));
}

/* Keeps reads of the target from updating its access time, because the update is a write. The
 * kernel allows this only to the owner of the file and to root. */
static void keep_access_time(int fd)
{
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NOATIME);
}

int guard_open_at(const char *path, int at, const struct guard_options *o, struct guard *g)
{
	int ret;

	*g = (struct guard){ .fd = -1 };
	ret = guard_open_kind(path, at, o, g);
	if (!ret)
		keep_access_time(g->fd);
	if (!ret && o->direct)
		ret = set_direct(path, g->fd);
	if (ret)
		guard_close(g);
	return ret;
}

int guard_open(const char *path, const struct guard_options *o, struct guard *g)
{
	int at = open(path, O_PATH | O_CLOEXEC), ret;

	*g = (struct guard){ .fd = -1 };
	if (at < 0)
		return error(-errno, "cannot open '%s': %s", path, strerror(errno));
	ret = guard_open_at(path, at, o, g);
	close(at);
	return ret;
}

void guard_close(struct guard *g)
{
	if (g->fd >= 0)
		close(g->fd);
	g->fd = -1;
}
