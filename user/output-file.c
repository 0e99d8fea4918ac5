// SPDX-License-Identifier: GPL-2.0-or-later
/* The new file of an output, beside the place where it is to be. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "err.h"

static void choose_name(struct output *o)
{
	unsigned n = 0;

	if (getrandom(&n, sizeof(n), 0) < 0)
		n = getpid();
	snprintf(o->temporary, sizeof(o->temporary), "iospan-%08x", n);
}

/* Gives the new file @name in the directory. */
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

/* A file system that lacks RENAME_NOREPLACE mostly has links. */
static int put_new(struct output *o)
{
	int ret = 0;

	if (!*o->temporary)
		return link_to(o, o->name);
	if (renameat2(o->at, o->temporary, o->at, o->name, RENAME_NOREPLACE))
		ret = -errno;
	if (ret == -EINVAL)
		ret = linkat(o->at, o->temporary, o->at, o->name, 0) ||
		      unlinkat(o->at, o->temporary, 0) ? -errno : 0;
	if (!ret)
		*o->temporary = '\0';
	return ret;
}

/* Only the file that was there at the start; another one is somebody else's. */
static int replace(struct output *o)
{
	int ret = output_file_name(o);
	struct stat now;

	if (ret)
		return ret;
	if (fstatat(o->at, o->name, &now, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? put_new(o) : -errno;
	if (!output_same(&now, &o->was))
		return -EEXIST;
	if (renameat(o->at, o->temporary, o->at, o->name))
		return -errno;
	*o->temporary = '\0';
	return 0;
}

/* If the owner cannot be set, the permissions of the group and the others would be for other people
 * than before, so they are left out. Some file systems have no permissions of their own. */
static void keep_owner(const struct output *o)
{
	int lost = fchown(o->fd, o->was.st_uid, o->was.st_gid);

	fchmod(o->fd, o->was.st_mode & (lost ? 0700 : 0777));
}

int output_file_put(struct output *o)
{
	bool there = o->was.st_nlink;
	int ret;

	o->written = true;
	if (there)
		keep_owner(o);
	if (fsync(o->fd) && errno != EINVAL && errno != EROFS) {
		o->written = false;
		return -errno;
	}
	ret = there ? replace(o) : put_new(o);
	if (!ret && fstat(o->fd, &o->was))
		ret = -errno;
	return ret;
}
