// SPDX-License-Identifier: GPL-2.0-or-later
/* Creates the new file of an output, and renames it when its content is complete. The old file is
 * the file that was at the path before. An access control list is the ACL of POSIX, stored as an
 * extended attribute. */
#include "user/base/output-file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/output-place.h"

#define ACCESS_LIST "system.posix_acl_access"

static void choose_name(struct output *o)
{
	unsigned n = 0;

	if (getrandom(&n, sizeof(n), 0) < 0)
		n = getpid();
	snprintf(o->temporary, sizeof(o->temporary), "iospan-%08x", n);
}

/* Gives the new file the name @name in its directory. A file made with O_TMPFILE has no name
 * before. */
static int link_to(const struct output *o, const char *name)
{
	char self[64];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", o->fd);
	return linkat(AT_FDCWD, self, o->at, name, AT_SYMLINK_FOLLOW) ? -errno : 0;
}

int output_file_name(struct output *o)
{
	int ret = *o->temporary ? 0 : -EEXIST;

	while (ret == -EEXIST) {
		choose_name(o);
		ret = link_to(o, o->temporary);
	}
	if (ret)
		*o->temporary = '\0';
	return ret;
}

int output_file_make(struct output *o)
{
	mode_t mode = o->was.st_nlink ? 0600 : 0666;
	int flags = O_WRONLY | O_CLOEXEC, ret;

	o->fd = openat(o->at, ".", O_TMPFILE | flags, mode);
	while (o->fd < 0) {
		choose_name(o);
		o->fd = openat(o->at, o->temporary, O_CREAT | O_EXCL | flags, mode);
		if (o->fd >= 0 || errno == EEXIST)
			continue;
		ret = -errno;
		*o->temporary = '\0';
		return ret;
	}
	return 0;
}

void output_file_drop(struct output *o)
{
	if (*o->temporary && unlinkat(o->at, o->temporary, 0))
		warn("cannot remove '%s' beside '%s': %s", o->temporary, o->path, strerror(errno));
	*o->temporary = '\0';
	if (o->fd >= 0)
		close(o->fd);
	o->fd = -1;
}

/* Renames the new file on file systems that have neither RENAME_NOREPLACE nor hard links. First
 * creates an empty file with O_EXCL, so that no file of another process is replaced. */
static int rename_over_empty(struct output *o)
{
	int fd = openat(o->at, o->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), ret;

	if (fd < 0)
		return -errno;
	close(fd);
	ret = renameat(o->at, o->temporary, o->at, o->name) ? -errno : 0;
	if (ret)
		unlinkat(o->at, o->name, 0);
	return ret;
}

static int rename_by_link(struct output *o)
{
	if (linkat(o->at, o->temporary, o->at, o->name, 0))
		return errno == EEXIST ? -EEXIST : rename_over_empty(o);
	return unlinkat(o->at, o->temporary, 0) ? -errno : 0;
}

static int rename_new(struct output *o)
{
	int ret = 0;

	if (!*o->temporary)
		return link_to(o, o->name);
	if (renameat2(o->at, o->temporary, o->at, o->name, RENAME_NOREPLACE))
		ret = -errno;
	if (ret == -EINVAL)
		ret = rename_by_link(o);
	if (!ret)
		*o->temporary = '\0';
	return ret;
}

static bool is_changed(const struct stat *now, const struct stat *was)
{
	return now->st_size != was->st_size || now->st_mtim.tv_sec != was->st_mtim.tv_sec ||
		now->st_mtim.tv_nsec != was->st_mtim.tv_nsec;
}

/* Renames the new file over the old file. Fails if another program has changed the old file since
 * output_open(): returns -EEXIST if it was replaced, and -ESTALE if it was modified. */
static int rename_over_old(struct output *o)
{
	int ret = output_file_name(o);
	struct stat now;

	if (ret)
		return ret;
	if (fstatat(o->at, o->name, &now, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? rename_new(o) : -errno;
	if (!output_same(&now, &o->was))
		return -EEXIST;
	if (!o->ours && is_changed(&now, &o->was))
		return -ESTALE;
	if (renameat(o->at, o->temporary, o->at, o->name))
		return -errno;
	*o->temporary = '\0';
	return 0;
}

/* Copies the access control list of the old file to the new file. If the old file has no list,
 * removes the list of the new file. */
static int copy_access_list(const struct output *o)
{
	char *path = need_text("/proc/self/fd/%d/%s", o->at, o->name);
	char *list = need(malloc(XATTR_SIZE_MAX));
	ssize_t n = lgetxattr(path, ACCESS_LIST, list, XATTR_SIZE_MAX);
	int ret = 0;

	if (n >= 0)
		ret = fsetxattr(o->fd, ACCESS_LIST, list, n, 0);
	else /* The new file may have inherited an access control list from its directory. */
		fremovexattr(o->fd, ACCESS_LIST);
	free(list);
	free(path);
	return ret;
}

/* Copies owner, access control list and mode of the old file to the new file. If the owner or the
 * list cannot be copied, the old mode would give rights to the wrong users. So in this case,
 * removes all rights of group and others. Ignores other errors, because some file systems have no
 * permissions. */
static void copy_permissions(const struct output *o)
{
	int lost = fchown(o->fd, o->was.st_uid, o->was.st_gid);

	lost |= copy_access_list(o);
	fchmod(o->fd, o->was.st_mode & (lost ? 0700 : 0777));
}

/* Syncs @fd. Then closes a duplicate of @fd, because a file server may report only at close(2) that
 * it could not store the data. Returns 0 or -errno. */
static int sync_result(int fd)
{
	int copy;

	if (fsync(fd) && errno != EINVAL && errno != EROFS)
		return -errno;
	copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return copy >= 0 && close(copy) ? -errno : 0;
}

int output_file_put(struct output *o)
{
	bool there = o->was.st_nlink;
	int ret;

	o->written = true;
	if (there)
		copy_permissions(o);
	ret = sync_result(o->fd);
	if (ret) {
		o->written = false;
		return ret;
	}
	ret = there ? rename_over_old(o) : rename_new(o);
	if (!ret && fstat(o->fd, &o->was))
		ret = -errno;
	o->ours |= !ret;
	return ret;
}
