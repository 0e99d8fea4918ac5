// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds files by their path, also in the layers of an overlayfs mount. */
#include "bench/guard/inode.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "user/base/err.h"

bool file_stat(const struct host *h, const char *path, struct statx *st)
{
	char seen[2 * PATH_MAX];

	snprintf(seen, sizeof(seen), "%s/" HERE "/root%s", h->proc, path);
	return !statx(AT_FDCWD, seen, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_TYPE | STATX_INO,
		      st);
}

bool file_is(const struct victim *f, const struct statx *st)
{
	return f->inode == st->stx_ino && f->dev == makedev(st->stx_dev_major, st->stx_dev_minor);
}

struct holding {
	struct victim *file;
	bool here;
};

static bool examine_mount(const struct mount *m, void *arg)
{
	static const char *const local[] = { "bcachefs", "btrfs", "devtmpfs", "overlay",
					     "ramfs",	 "tmpfs", "zfs" };
	struct holding *h = arg;

	h->file->mount = makedev(m->major, m->minor);
	h->file->point = strcmp(m->point, "/") ? strlen(m->point) : 0;
	snprintf(h->file->root, PATH_MAX, "%s", strcmp(m->root, "/") ? m->root : "");
	h->here = m->major && strncmp(m->type, "fuse", 4) != 0;
	for (unsigned i = 0; i < sizeof(local) / sizeof(*local); i++)
		h->here |= !strcmp(m->type, local[i]);
	return true;
}

bool file_find_mount(const struct host *h, struct victim *f)
{
	struct holding holding = { .file = f };

	return !host_mount_by_text(h, f->name, examine_mount, &holding) && holding.here;
}

/* Opens the path @rest, relative to the root of the mount that contains @f. Fails if the path leads
 * into another mount. Returns the descriptor, or -1. */
static int open_beside(const struct host *h, const struct victim *f, const char *rest)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC | O_NOFOLLOW,
				.resolve = RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS };
	char point[2 * PATH_MAX];
	int at, fd;

	snprintf(point, sizeof(point), "%s/" HERE "/root%.*s", h->proc, (int)f->point, f->name);
	at = open(point, O_PATH | O_CLOEXEC);
	if (at < 0)
		return -1;
	fd = syscall(SYS_openat2, at, rest, &how, sizeof(how));
	close(at);
	return fd;
}

bool file_is_root_of(const struct host *h, const struct victim *f, const struct mount *m)
{
	size_t len = strlen(f->root);
	struct statx st;
	bool is;
	int fd;

	if (!f->inode || strncmp(m->root, f->root, len) != 0)
		return false;
	if (!m->root[len])
		return !f->name[f->point];
	if (m->root[len] != '/')
		return false;
	fd = open_beside(h, f, m->root + len + 1);
	if (fd < 0)
		return false;
	is = !statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_INO, &st) && file_is(f, &st);
	close(fd);
	return is;
}

struct layers {
	const struct host *host;
	struct victim *file;
	const char *rest; /* path of the file, relative to the root of the overlay */
};

/* @directory is a layer of an overlay. If it has a file with the path l->rest, sets *l->file to
 * this file, and returns true. */
static bool is_in_layer(const struct layers *l, const char *directory)
{
	struct victim real = { .file = true };
	char here[PATH_MAX] = "";
	struct statx st;

	/* The mount options contain the path as it was given when the overlay was mounted. If the
	 * path is relative, try it in iospan's current directory. */
	if (directory[0] != '/' && (!getcwd(here, sizeof(here) - 1) || !strcat(here, "/")))
		return false;
	if (snprintf(real.name, PATH_MAX, "%s%s%s", here, directory, l->rest) >= PATH_MAX ||
	    !file_find_mount(l->host, &real) || !file_stat(l->host, real.name, &st) ||
	    !S_ISREG(st.stx_mode))
		return false;
	real.dev = makedev(st.stx_dev_major, st.stx_dev_minor);
	real.inode = st.stx_ino;
	*l->file = real;
	return true;
}

/* Splits a list of paths, which are separated by colons: replaces the colon after the first path by
 * a null byte. Returns the rest of the list; NULL: the list has only one path. */
static char *cut_list(char *list)
{
	for (; *list; list++) {
		if (*list == '\\' && list[1]) {
			list++;
		} else if (*list == ':') {
			*list = '\0';
			return list + 1;
		}
	}
	return NULL;
}

/* Removes the backslashes that overlayfs requires before some characters, such as a colon in a
 * path. Changes @s in place. */
static void remove_escapes(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (*s == '\\' && s[1])
			s++;
		*to++ = *s;
	}
	*to = '\0';
}

/* Searches the layers of an overlay, the topmost first. Since Linux 6.8, each lower layer may be an
 * option of its own, without backslashes:
 *
 * rw,lowerdir=/low:/lowest,upperdir=/up,workdir=/work
 * rw,lowerdir+=/low,lowerdir+=/lowest,upperdir=/up,workdir=/work */
static bool search_layers(const struct layers *l, const char *options, const char *option)
{
	char *copy = need(strdup(options)), *rest = copy, *word;
	bool found = false, list = !strcmp(option, "lowerdir");
	size_t len = strlen(option);

	while (!found && (word = strsep(&rest, ",")) != NULL) {
		char *layer = word + len, *next;
		bool alone;

		if (strncmp(word, option, len) != 0)
			continue;
		alone = *layer == '+';
		layer += alone;
		layer = host_unescape(layer + (*layer == '='));
		for (; !found && layer; layer = next) {
			next = list && !alone ? cut_list(layer) : NULL;
			if (!alone)
				remove_escapes(layer);
			found = is_in_layer(l, layer);
		}
	}
	free(copy);
	return found;
}

static bool try_overlay(const struct mount *m, void *arg)
{
	size_t len = strcmp(m->point, "/") ? strlen(m->point) : 0;
	struct layers *l = arg;
	char path[2 * PATH_MAX];

	if (strcmp(m->type, "overlay") != 0)
		return false;
	snprintf(path, sizeof(path), "%s%s", strcmp(m->root, "/") ? m->root : "",
		 l->file->name + len);
	l->rest = path;
	return search_layers(l, m->super, "upperdir") || search_layers(l, m->super, "lowerdir");
}

bool file_enter_layer(const struct host *h, struct victim *f)
{
	struct layers l = { .host = h, .file = f };
	struct statx st;

	return f->inode && file_find_mount(h, f) && file_stat(h, f->name, &st) && file_is(f, &st) &&
		!host_mount_by_text(h, f->name, try_overlay, &l);
}

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
