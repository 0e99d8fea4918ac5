// SPDX-License-Identifier: GPL-2.0-or-later
#include "output.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"
#include "out.h"

/* A file without a name in the folder of @path; some file systems have none. */
static int open_unnamed(const char *path)
{
	char *dir = need(strdup(path)), *slash = strrchr(dir, '/');
	int fd;

	if (slash)
		slash[slash == dir] = '\0';
	fd = open(slash ? dir : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	free(dir);
	return fd;
}

/* Whether @path could be made, found by making it. */
static int try_make(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0)
		return -errno;
	close(fd);
	return unlink(path) ? -errno : 0;
}

int output_open(struct output *o, const char *path)
{
	struct stat st;
	int ret = 0;

	*o = (struct output){ .path = path, .fd = -1 };
	if (!path)
		return 0;
	if (stat(path, &st)) {
		o->fd = errno == ENOENT && *path ? open_unnamed(path) : -1;
		o->unnamed = o->fd >= 0;
		ret = o->unnamed ? 0 : try_make(path);
	} else if (S_ISFIFO(st.st_mode)) {
		/* its reader would take our closing it now for the end */
		ret = access(path, W_OK) ? -errno : 0;
	} else {
		o->fd = open(path, O_WRONLY | O_CLOEXEC);
		ret = o->fd < 0 ? -errno : 0;
	}
	return ret ? error(ret, "cannot write '%s': %s", path, strerror(-ret)) : 0;
}

FILE *output_begin(struct output *o)
{
	struct stat st;
	FILE *f;

	if (!o->path)
		return stderr;
	if (o->fd < 0)
		o->fd = open(o->path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (o->fd >= 0 && !fstat(o->fd, &st) && S_ISREG(st.st_mode) && ftruncate(o->fd, 0))
		f = NULL;
	else
		f = o->fd < 0 ? NULL : fdopen(o->fd, "w");
	if (!f) {
		error(-errno, "cannot write '%s': %s", o->path, strerror(errno));
		output_drop(o);
	}
	return f;
}

static int give_name(const struct output *o)
{
	char self[64];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", o->fd);
	return linkat(AT_FDCWD, self, AT_FDCWD, o->path, AT_SYMLINK_FOLLOW) ? -errno : 0;
}

int output_end(struct output *o, FILE *f)
{
	int ret = out_finish(f, o->path ? o->path : "stderr");

	if (!ret && o->unnamed) {
		ret = give_name(o);
		if (ret)
			error(ret, "cannot write '%s': %s", o->path, strerror(-ret));
	}
	if (o->path)
		fclose(f);
	o->fd = -1;
	return ret;
}

int output_write(struct output *o, int (*print)(FILE *f, const void *what), const void *what)
{
	FILE *f = output_begin(o);
	int ret;

	if (!f)
		return -EIO;
	ret = print(f, what);
	if (!ret)
		return output_end(o, f);
	if (o->path)
		fclose(f);
	o->fd = -1;
	return ret;
}

void output_drop(struct output *o)
{
	if (o->fd >= 0)
		close(o->fd);
	o->fd = -1;
}
