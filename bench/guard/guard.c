// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/guard/guard.h"
#include "bench/guard/use.h"
#include "bench/guard/signature.h"

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

/* What a load leaves free in a file system, for those who also write there. */
#define SPARE_PER_CENT 5

static int check_size(const char *path, u64 has, u64 needed)
{
	char a[NUM_TEXT], b[NUM_TEXT];

	if (has >= needed)
		return 0;
	return error(-EFBIG, "'%s' has only %s of the %s that are needed; ask for less", path,
		     num_bytes_text(a, has), num_bytes_text(b, needed));
}

/* ---- a directory ---- */

static int check_space(const char *path, int at, u64 needed)
{
	char a[NUM_TEXT], b[NUM_TEXT];
	struct statvfs fs;
	struct rlimit max;
	double free;

	if (fstatvfs(at, &fs))
		return error(-errno, "cannot tell the free space of '%s': %s", path,
			     strerror(errno));
	free = (double)fs.f_bavail * fs.f_frsize;
	/* no blocks at all: a file system without a limit */
	if (fs.f_blocks && needed > free * (100 - SPARE_PER_CENT) / 100)
		return error(-ENOSPC,
			     "'%s' has %s free, of which %d %% are to stay so: "
			     "%s are too much; ask for less",
			     path, num_bytes_text(a, free), SPARE_PER_CENT,
			     num_bytes_text(b, needed));
	if (!getrlimit(RLIMIT_FSIZE, &max) && needed > max.rlim_cur)
		return error(-EFBIG,
			     "files must not grow beyond %s (ulimit -f): %s are too "
			     "much",
			     num_bytes_text(a, max.rlim_cur), num_bytes_text(b, needed));
	return 0;
}

/* -ESTALE: the directory's owner has given the name to another file, which stays. */
static int remove_name(int at, const char *name, int fd)
{
	struct stat file, named;

	if (fstat(fd, &file) || fstatat(at, name, &named, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? -ESTALE : -errno;
	if (file.st_dev != named.st_dev || file.st_ino != named.st_ino)
		return -ESTALE;
	return unlinkat(at, name, 0) ? -errno : 0;
}

/* For file systems without unnamed files. No signal ends this process while the file has a name. */
static int make_and_unlink(int at)
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
		fd = openat(at, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
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

static int open_directory(const char *path, int at, const struct guard_options *o, struct guard *g)
{
	int ret = check_space(path, at, o->bytes);

	if (ret)
		return ret;
	g->fd = openat(at, ".", O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
	if (g->fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
		g->fd = make_and_unlink(at);
	else if (g->fd < 0)
		g->fd = -errno;
	if (g->fd == -ESTALE)
		return error(g->fd,
			     "cannot make a file in '%s': another user renamed it; give a "
			     "directory that others cannot change",
			     path);
	if (g->fd < 0)
		return error(g->fd, "cannot make a file in '%s': %s", path, strerror(-g->fd));
	return 0;
}

/* ---- a file ---- */

/* The kernel grants a write lease only when no other open descriptor, mapping, loop
 * device or swap area leads to the file. Mounts are no descriptors. */
static int check_alone(const char *path, int fd, const struct host *h, const struct stat *st)
{
	struct guard_use use;

	if (guard_find_mount(h, fd, st, &use))
		return error(-EBUSY, "'%s' %s: it will not be written", path, use.why);
	if (!fcntl(fd, F_SETLEASE, F_WRLCK)) {
		fcntl(fd, F_SETLEASE, F_UNLCK);
		return 0;
	}
	if (errno != EAGAIN)
		return 0; /* no leases here, or not ours to take: not known */
	return error(-EBUSY, "'%s' is in use: a program, a loop device or swap has it open", path);
}

static int open_file(const char *path, int at, const struct guard_options *o, const struct stat *st,
		     struct guard *g)
{
	if (o->write && !o->destroy)
		return error(-EPERM,
			     "'%s' is a file of somebody's: give a directory to work "
			     "in, or --destroy if what is in the file may be lost",
			     path);
	g->fd = reopen(at, o->write ? O_RDWR : O_RDONLY);
	if (g->fd < 0)
		return error(g->fd, "cannot open '%s': %s", path, strerror(-g->fd));
	g->bytes = st->st_size;
	if (!g->bytes)
		return error(-EINVAL, "'%s' is empty: there is nothing to work on", path);
	return check_size(path, g->bytes, o->bytes) ?:
		o->write ? check_alone(path, g->fd, o->host ?: &this_host, st) :
			   0;
}

/* ---- a block device ---- */

/* Claimed by us alone, as file systems, swap and other disks claim theirs: when that
 * fails somebody has it, be it where no file of ours can tell. */
static int claim(const char *path, int at, const struct host *h, dev_t dev, struct guard *g,
		 struct guard_use *use)
{
	g->fd = reopen(at, O_RDWR | O_EXCL);
	if (guard_find_use(h, dev, use))
		return error(-EBUSY, "'%s' %s: it will not be written", path, use->why);
	if (g->fd == -EBUSY)
		return error(-EBUSY,
			     "'%s' is busy: a file system, swap, another disk or a "
			     "program has claimed it, out of our sight",
			     path);
	if (g->fd == -EROFS || g->fd == -EACCES)
		return error(g->fd,
			     "'%s' must not be written: the device is read-only, or "
			     "not ours",
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
		return error(-errno, "cannot tell the size of '%s': %s", path, strerror(errno));
	if (!g->bytes)
		return error(-ENODEV, "'%s' holds no data: no medium, or nothing behind it", path);
	ret = check_size(path, g->bytes, o->bytes);
	if (ret || !o->write)
		return ret;
	if (ioctl(g->fd, BLKROGET, &read_only) || read_only)
		return error(-EROFS, "'%s' is read-only", path);
	return guard_check_signature(path, g->fd, o->signature, use->has_partitions);
}

static int open_device(const char *path, int at, const struct guard_options *o, dev_t dev,
		       struct guard *g)
{
	struct guard_use use = { .has_partitions = false };
	int ret = 0;

	if (o->write && !o->destroy)
		return error(-EPERM,
			     "'%s' is a block device: it is written only with "
			     "--destroy, and what is on it is lost then",
			     path);
	if (o->write) {
		ret = claim(path, at, o->host ?: &this_host, dev, g, &use);
	} else {
		g->fd = reopen(at, O_RDONLY);
		if (g->fd < 0)
			ret = error(g->fd, "cannot open '%s': %s", path, strerror(-g->fd));
	}
	return ret ?: check_device(path, o, &use, g);
}

/* ---- any of them ---- */

static int open_kind(const char *path, int at, const struct guard_options *o, struct guard *g)
{
	struct statfs fs;
	struct stat st;

	if (fstat(at, &st) || fstatfs(at, &fs))
		return error(-errno, "cannot look at '%s': %s", path, strerror(errno));
	if (S_ISBLK(st.st_mode)) {
		g->kind = GUARD_DEVICE;
		return open_device(path, at, o, st.st_rdev, g);
	}
	if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
		return error(-EINVAL, "'%s' is neither a directory, a file nor a block device",
			     path);
	if (fs_is_pseudo(fs.f_type))
		return error(-EINVAL, "'%s' is the kernel's and no storage", path);
	g->kind = S_ISDIR(st.st_mode) ? GUARD_DIRECTORY : GUARD_FILE;
	return g->kind == GUARD_DIRECTORY ? open_directory(path, at, o, g) :
					    open_file(path, at, o, &st, g);
}

/* Only now, as reading a signature needs no alignment. */
static int set_direct(const char *path, int fd)
{
	if (!fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_DIRECT))
		return 0;
	return error(-errno,
		     "'%s' cannot be read and written directly: %s; go through the "
		     "page cache instead",
		     path, strerror(errno));
}

/* To note when something was read is work of its own and ends in writes, so a load does
 * not ask for it. Who may not say so reads all the same. */
static void keep_access_time(int fd)
{
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NOATIME);
}

int guard_open_at(const char *path, int at, const struct guard_options *o, struct guard *g)
{
	int ret;

	*g = (struct guard){ .fd = -1 };
	ret = open_kind(path, at, o, g);
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
