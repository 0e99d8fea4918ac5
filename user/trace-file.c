// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace-file.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"

char *trace_file_path(const char *path, u32 number)
{
	return number ? need_text("%s.%u", path, number) : need(strdup(path));
}

/* What is there: only an empty file of this user's own, that nobody else may open. */
static int open_empty(const char *name)
{
	int fd = open(name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	int ret = fd < 0 ? -errno : 0;
	struct stat st;

	if (ret == -ELOOP)
		return error(ret, "cannot write '%s': it is a symbolic link", name);
	if (!ret && fstat(fd, &st))
		ret = -errno;
	if (!ret && (!S_ISREG(st.st_mode) || st.st_uid != geteuid()))
		ret = error(-EINVAL, "cannot write '%s': not a file of this user's", name);
	else if (!ret && st.st_size)
		ret = error(-EEXIST, "'%s' exists; remove it first", name);
	else if (!ret && fchmod(fd, 0600))
		ret = -errno;
	else if (!ret)
		return fd;
	else
		error(ret, "cannot write '%s': %s", name, strerror(-ret));
	if (fd >= 0)
		close(fd);
	return ret;
}

int trace_file_create(const char *path, u32 number)
{
	char *name = trace_file_path(path, number);
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0 && errno == EEXIST)
		fd = open_empty(name);
	else if (fd < 0)
		fd = error(-errno, "cannot make '%s': %s", name, strerror(errno));
	free(name);
	return fd;
}

/* "1", but not "0", "01" or "1.gz" */
static bool is_number(const char *s)
{
	return *s >= '1' && *s <= '9' && !s[strspn(s, "0123456789")];
}

int trace_file_check_row(const char *path)
{
	char *dir = need(strdup(path)), *base = strrchr(dir, '/');
	struct dirent *e;
	int ret = 0;
	size_t n;
	DIR *d;

	if (base)
		*base++ = '\0';
	d = opendir(!base ? "." : *dir ? dir : "/");
	base = base ? base : dir;
	n = strlen(base);
	while (d && !ret && (e = readdir(d)))
		if (!strncmp(e->d_name, base, n) && e->d_name[n] == '.' &&
		    is_number(e->d_name + n + 1))
			ret = error(-EEXIST, "'%s%s' exists; remove it first", path,
				    e->d_name + n);
	if (d)
		closedir(d);
	free(dir);
	return ret;	/* a folder that cannot be read: the next file will tell */
}

void trace_file_remove(const char *path, u32 number)
{
	char *name = trace_file_path(path, number);

	unlink(name);
	free(name);
}

int trace_file_sync(const char *path, u32 number)
{
	char *name = trace_file_path(path, number);
	int fd = open(name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), ret = 0;

	if (fd < 0 || fsync(fd))
		ret = -errno;
	if (fd >= 0)
		close(fd);
	free(name);
	return ret;
}
