// SPDX-License-Identifier: GPL-2.0-or-later
/* A temporary directory in a directory that other users may write. The cleanup process is a child
 * that removes the temporary directory when iospan has ended. */
#include "user/session/workdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "bpf/types.h"
#include "user/base/err.h"

/* maximum number of attempts to find a directory that another user keeps renaming */
#define TRIES 10
#define OTHERS_WRITE 022

struct workdir_made {
	int above;
	char name[64];
	bool known; /* true if dev and ino identify the directory; false before it was opened */
	u64 dev, ino;
};

static u64 dev_of(const struct statx *st)
{
	return makedev(st->stx_dev_major, st->stx_dev_minor);
}

static bool is_made(const struct workdir_made *m, const struct statx *st)
{
	return m->known && st->stx_ino == m->ino && dev_of(st) == m->dev;
}

/* Reads only attributes that the kernel has in memory (AT_STATX_DONT_SYNC). Otherwise iospan could
 * wait forever: another user may have replaced the file by a link or mount of a file server that
 * does not answer. */
static int stat_at(int at, const char *name, struct statx *st)
{
	int flags = AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;

	return statx(at, name, flags, STATX_BASIC_STATS, st) ? -errno : 0;
}

/* Opens the directory @at for readdir(), which an O_PATH descriptor does not permit. */
static int open_to_list(int at)
{
	return openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Finds the current name of the temporary directory by its inode, because another user may have
 * renamed it. Returns 0 or -errno. */
static int find_name(const struct workdir_made *m, char name[NAME_MAX + 1])
{
	int fd = open_to_list(m->above), ret = -ENOENT;
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;
	struct statx st;

	if (!list)
		return -errno;
	while (ret && (e = readdir(list)))
		if (e->d_ino == m->ino && !stat_at(m->above, e->d_name, &st) && is_made(m, &st)) {
			snprintf(name, NAME_MAX + 1, "%s", e->d_name);
			ret = 0;
		}
	closedir(list);
	return ret;
}

static int remove_files(int fd)
{
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;
	int ret = 0;

	if (!list)
		return -errno;
	while ((e = readdir(list)))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") && unlinkat(fd, e->d_name, 0))
			ret = -errno;
	closedir(list);
	return ret;
}

/* Removes the temporary directory and its files, if @name is still the temporary directory (same
 * inode). If another user replaces the directory after this check, the replacement is removed only
 * if it is empty. O_NOFOLLOW is needed, because opening a link could wait for a file server. */
static int remove_as(const struct workdir_made *m, const char *name)
{
	int at = openat(m->above, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int ret = at < 0 ? -errno : 0;
	struct statx st;

	if (!ret)
		ret = stat_at(at, "", &st);
	if (!ret && !is_made(m, &st))
		ret = -ENOENT;
	if (!ret)
		ret = remove_files(open_to_list(at));
	if (!ret)
		ret = stat_at(m->above, name, &st);
	if (!ret)
		ret = !is_made(m, &st)			       ? -ENOENT :
			unlinkat(m->above, name, AT_REMOVEDIR) ? -errno :
								 0;
	if (at >= 0)
		close(at);
	return ret;
}

/* Removes the temporary directory. The cleanup process calls this function. It has only a
 * descriptor of the parent directory, so it opens the temporary directory by name. */
static int remove_made(const void *of)
{
	const struct workdir_made *m = of;
	char name[NAME_MAX + 1];
	int ret;

	/* If iospan ended before open_made(), the inode of the directory is not known. The
	 * directory then has no files yet. */
	if (!m->known) {
		unlinkat(m->above, m->name, AT_REMOVEDIR);
		return 0;
	}
	ret = remove_as(m, m->name);
	for (int i = 0; i < TRIES && (ret == -ENOENT || ret == -ELOOP || ret == -ENOTDIR); i++) {
		ret = find_name(m, name);
		if (ret)
			break;
		ret = remove_as(m, name);
	}
	return ret;
}

static bool is_empty(int fd)
{
	int copy = open_to_list(fd);
	DIR *list = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *e;
	unsigned n = 0;

	while (list && (e = readdir(list)))
		n++;
	if (list)
		closedir(list);
	/* An empty directory has the entries "." and "..", or none, because some file systems do
	 * not list these two. */
	return list && n <= 2;
}

static int replaced(const char *path)
{
	return error(-EEXIST,
		     "cannot work in '%s': another user replaced the new directory; give "
		     "a directory that others cannot change",
		     path);
}

/* Checks that @at is the directory that this process has just made. Another user may have put
 * another directory in its place. The directory must be on the parent's file system, belong to this
 * user, and not be writable by others. */
static int check_owner(int at, const struct workdir *w, const char *path, struct statx *st)
{
	struct statx above;

	if (stat_at(at, "", st) || stat_at(w->above, "", &above))
		return error(-errno, "cannot look at '%s': %s", path, strerror(errno));
	if (dev_of(st) != dev_of(&above))
		return replaced(path);
	if (st->stx_uid == geteuid() && !(st->stx_mode & OTHERS_WRITE))
		return 0;
	return error(-EPERM,
		     "cannot work in '%s': a directory made there belongs to user %u, or "
		     "others may write to it; run as that user or give another directory",
		     path, st->stx_uid);
}

static int open_made(struct workdir *w, const char *path, const char *name)
{
	int at = openat(w->above, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), ret;
	struct statx st;

	if (at < 0)
		return replaced(path);
	ret = check_owner(at, w, path, &st);
	if (!ret)
		w->fd = open_to_list(at);
	close(at);
	if (ret)
		return ret;
	if (w->fd < 0)
		return error(-errno, "cannot open '%s/%s': %s", path, name, strerror(errno));
	if (!is_empty(w->fd))
		return replaced(path);
	w->made->dev = dev_of(&st);
	w->made->ino = st.stx_ino;
	w->made->known = true;
	return 0;
}

int workdir_open(struct workdir *w, const char *path)
{
	*w = (struct workdir){ .fd = -1 };
	w->above = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (w->above >= 0)
		return 0;
	return error(-errno, "cannot open '%s': %s", path, strerror(errno));
}

int workdir_make(struct workdir *w, const char *path, const char *name, bool keep)
{
	struct workdir_made *m =
		mmap(NULL, sizeof(*m), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int ret;

	if (m == MAP_FAILED)
		return error(-ENOMEM, "out of memory");
	w->made = m;
	m->above = w->above;
	snprintf(m->name, sizeof(m->name), "%s", name);
	ret = keep ? 0 : cleanup_start(&w->cleanup, remove_made, m);
	if (!ret && mkdirat(w->above, name, 0700))
		ret = error(-errno, "cannot make a directory in '%s': %s", path, strerror(errno));
	return ret ?: open_made(w, path, name);
}

int workdir_close(struct workdir *w)
{
	int ret = cleanup_finish(&w->cleanup);

	/* The directory could not be removed. At least its files are removed, because they take
	 * disk space. */
	if (ret < 0 && ret != -EINTR && w->fd >= 0)
		remove_files(open_to_list(w->fd));
	if (w->fd >= 0)
		close(w->fd);
	if (w->above >= 0)
		close(w->above);
	if (w->made)
		munmap(w->made, sizeof(*w->made));
	*w = (struct workdir){ .above = -1, .fd = -1 };
	return ret;
}
