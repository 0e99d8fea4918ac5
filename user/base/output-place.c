// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the file, fifo or descriptor to which an output is written. A path may be a symbolic link
 * or the name of a descriptor, such as /dev/stdout. */
#include "user/base/output-place.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/reopen.h"

bool output_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool output_is_standard(const struct stat *st)
{
	struct stat out;

	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (!fstat(fd, &out) && S_ISREG(out.st_mode) && output_same(&out, st))
			return true;
	return false;
}

/* Returns the number of the descriptor that @path names, such as 1 for /dev/stdout or 3 for
 * /dev/fd/3; else -1. */
static int given_descriptor(const char *path)
{
	static const char *const standard[] = { "/dev/stdin", "/dev/stdout", "/dev/stderr" };
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
	uint64_t n;

	for (int i = 0; i < 3; i++)
		if (!strcmp(path, standard[i]))
			return i;
	for (int i = 0; i < 2; i++) {
		size_t len = strlen(folders[i]);

		if (!strncmp(path, folders[i], len) && !num_uint(path + len, &n) && n <= INT_MAX)
			return n;
	}
	return -1;
}

/* Uses descriptor @n of this process as the output. Duplicates @n, so that the file position is
 * shared, as after a redirection by the shell. */
static int find_descriptor(struct output *o, int n, const char **why)
{
	int flags = fcntl(n, F_GETFL);

	if (flags < 0 || fstat(n, &o->was))
		return -errno;
	if ((flags & O_ACCMODE) == O_RDONLY || flags & O_PATH)
		return -EBADF;
	if (S_ISBLK(o->was.st_mode)) {
		*why = "it is a block device";
		return -EINVAL;
	}
	o->fd = fcntl(n, F_DUPFD_CLOEXEC, 3);
	return o->fd < 0 ? -errno : 0;
}

static const char others_file[] =
	"it is another user's in a directory with the sticky bit; give another name";

/* Returns true if opening the character device @dev has no side effect. Opening a tape, for
 * instance, rewinds it. */
static bool is_harmless(dev_t dev)
{
	unsigned number = major(dev), n = minor(dev);

	if (number == 1) /* the devices /dev/null, /dev/zero and /dev/full */
		return n == 3 || n == 5 || n == 7;
	/* /dev/ptmx: opening it creates a terminal that nobody reads */
	if (number == 5 && n == 2)
		return false;
	/* major numbers of terminals: tty (4), console (5), Unix98 pty (136 to 143) */
	return number == 4 || number == 5 || (number >= 136 && number <= 143);
}

int output_folder(const char *path)
{
	const char *name = basename(path);
	char *folder = need(name > path ? strndup(path, name - path) : strdup("."));
	int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

	free(folder);
	if (fd < 0)
		fd = -errno;
	return fd;
}

/* Opens the directory that contains @path as o->at, and stores the last component of @path in
 * o->name. */
static int open_folder(struct output *o, const char *path)
{
	o->name = need(strdup(basename(path)));
	o->at = output_folder(path);
	return o->at < 0 ? o->at : *o->name ? 0 : *path ? -EISDIR : -ENOENT;
}

/* Opens the directory of the file that descriptor @at refers to. If the user gave a symbolic link,
 * @at refers to the link's target. Does nothing for a pipe, which has no path. */
static int open_folder_of(struct output *o, int at)
{
	char self[64], path[PATH_MAX];
	struct stat st;
	ssize_t n;
	int ret;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", at);
	n = readlink(self, path, sizeof(path) - 1);
	if (n < 0)
		return -errno;
	path[n] = '\0';
	if (*path != '/')
		return 0;
	ret = open_folder(o, path);
	if (ret)
		return ret;
	if (fstatat(o->at, o->name, &st, AT_SYMLINK_NOFOLLOW) || !output_same(&st, &o->was))
		return -ESTALE;
	return 0;
}

/* Returns true if the file belongs to another user and is in a directory with the sticky bit, such
 * as /tmp. The other user could read the result. The kernel refuses the same files for O_CREAT
 * (fs.protected_regular) and rename(2). */
static bool is_anothers(const struct output *o)
{
	uid_t owner = o->was.st_uid, us = geteuid();
	struct stat folder;

	if (owner == us || o->at < 0 || fstat(o->at, &folder) || !(folder.st_mode & S_ISVTX))
		return false;
	return (folder.st_mode & (S_IWGRP | S_IWOTH) && owner != folder.st_uid) ||
		(us && folder.st_uid != us && S_ISREG(o->was.st_mode));
}

static int find_new(struct output *o, const char **why)
{
	struct stat st;

	o->was = (struct stat){};
	if (!lstat(o->path, &st) && S_ISLNK(st.st_mode)) {
		*why = "it is a symbolic link to nothing; remove it";
		return -ENOENT;
	}
	o->kind = OUTPUT_FILE;
	return open_folder(o, o->path);
}

/* Returns the reason why rename(2) cannot replace the file; NULL: no reason is known. */
static const char *why_not_replaceable(const struct output *o, int at)
{
	const unsigned kept = STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND;
	struct statx x;

	if (!statx(at, "", AT_EMPTY_PATH, 0, &x) && x.stx_attributes & STATX_ATTR_MOUNT_ROOT)
		return "something is mounted there; give another name";
	if (!statx(o->at, "", AT_EMPTY_PATH, 0, &x) && x.stx_attributes & kept)
		return "its directory is immutable or append-only (lsattr); give another name";
	return NULL;
}

static int find_file(struct output *o, int at, const char **why)
{
	int fd = reopen(at, O_WRONLY | O_NONBLOCK);

	if (fd < 0)
		return fd;
	close(fd);
	o->kind = OUTPUT_FILE;
	if (o->at < 0)
		return -ESTALE;
	*why = why_not_replaceable(o, at);
	return *why ? -EPERM : 0;
}

/* Closes the directory of the output, and clears o->at and o->name. Only a regular file needs the
 * directory, for the rename at the end. */
static void forget_folder(struct output *o)
{
	if (o->at >= 0)
		close(o->at);
	free(o->name);
	o->at = -1;
	o->name = NULL;
}

/* Uses a fifo as the output. If a process already reads the fifo, opens the fifo now, and keeps it
 * open until the result is written. If iospan closed the fifo, the reader would see the end of the
 * file. */
static int find_fifo(struct output *o, int *at)
{
	int fd = reopen(*at, O_WRONLY | O_NONBLOCK);

	forget_folder(o);
	if (fd >= 0) {
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
		o->fd = fd;
		return 0;
	}
	if (fd != -ENXIO)
		return fd;
	o->kind = OUTPUT_FIFO;
	o->at = *at;
	*at = -1;
	return 0;
}

static int find_device(struct output *o, int at, const char **why)
{
	int fd;

	if (!is_harmless(o->was.st_rdev)) {
		*why = "it is a device";
		return -EINVAL;
	}
	fd = reopen(at, O_WRONLY);
	o->fd = fd;
	return fd < 0 ? fd : 0;
}

/* Uses the existing file at descriptor *@at as the output. If @o keeps this descriptor, sets *@at
 * to -1, so that the caller does not close it. */
static int find_existing(struct output *o, int *at, const char **why)
{
	int ret = fstat(*at, &o->was) ? -errno : 0;

	if (!ret && (S_ISREG(o->was.st_mode) || S_ISFIFO(o->was.st_mode)))
		ret = open_folder_of(o, *at);
	if (!ret && is_anothers(o)) {
		*why = others_file;
		ret = -EPERM;
	}
	if (ret)
		return ret;
	switch (o->was.st_mode & S_IFMT) {
	case S_IFREG:
		return find_file(o, *at, why);
	case S_IFIFO:
		return find_fifo(o, at);
	case S_IFCHR:
		return find_device(o, *at, why);
	case S_IFDIR:
		return -EISDIR;
	case S_IFBLK:
		*why = "it is a block device";
		return -EINVAL;
	}
	*why = "it is not a regular file";
	return -EINVAL;
}

/* Opens the target of the symbolic link at descriptor @link (O_PATH). The target is read by this
 * descriptor, because the link may have been replaced by another file. A link of procfs, such as
 * /proc/self/fd/3, is opened by its name in @p->at, because its target is no path. */
static int follow(const struct output *p, int link)
{
	char target[PATH_MAX];
	struct statfs fs;
	ssize_t n;
	int at;

	if (!fstatfs(link, &fs) && fs.f_type == PROC_SUPER_MAGIC) {
		at = openat(p->at, p->name, O_PATH | O_CLOEXEC);
	} else {
		n = readlinkat(link, "", target, sizeof(target) - 1);
		if (n < 0)
			return -errno;
		target[n] = '\0';
		at = openat(p->at, target, O_PATH | O_CLOEXEC);
	}
	if (at < 0)
		at = -errno;
	return at;
}

/* Opens @path with O_PATH. Refuses another user's symbolic link in a directory with the sticky bit,
 * as the kernel does (fs.protected_symlinks). */
static int open_path(const char *path, const char **why)
{
	struct output p = OUTPUT_NONE;
	int ret = open_folder(&p, path), at;

	if (!ret) {
		ret = openat(p.at, p.name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		ret = ret < 0 ? -errno : ret;
	}
	if (ret >= 0 && !fstat(ret, &p.was) && S_ISLNK(p.was.st_mode)) {
		*why = is_anothers(&p) ? others_file : NULL;
		at = *why ? -EPERM : follow(&p, ret);
		close(ret);
		ret = at;
	}
	forget_folder(&p);
	return ret;
}

int output_find(struct output *o, const char **why)
{
	int n = given_descriptor(o->path), at, ret;

	*why = NULL;
	if (n >= 0)
		return find_descriptor(o, n, why);
	at = open_path(o->path, why);
	if (at < 0)
		return at == -ENOENT ? find_new(o, why) : at;
	ret = find_existing(o, &at, why);
	if (at >= 0)
		close(at);
	return ret;
}
