// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/trace/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/output.h"
#include "user/base/output-place.h"

char *trace_file_path(const char *path, u32 number)
{
	return number ? need_text("%s.%u", path, number) : need(strdup(path));
}

/* Opens an existing file: it must be empty and owned by this user. Makes it private. */
static int open_empty(const char *name)
{
	int fd = open(name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	int ret = fd < 0 ? -errno : 0;
	struct stat st;

	if (fd < 0 && errno == ELOOP)
		return error(ret, "cannot write '%s': it is a symbolic link", name);
	if (!ret && fstat(fd, &st))
		ret = -errno;
	if (!ret && (!S_ISREG(st.st_mode) || st.st_uid != geteuid()))
		ret = error(-EINVAL, "cannot write '%s': not a file of this user's", name);
	else if (!ret && output_is_standard(&st))
		ret = error(-EINVAL,
			    "cannot write '%s': the standard output or error goes there as "
			    "well",
			    name);
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

int trace_file_create(const char *path, u32 number, bool *made)
{
	char *name = trace_file_path(path, number);
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	*made = fd >= 0;
	if (fd < 0 && errno == EEXIST)
		fd = open_empty(name);
	else if (fd < 0)
		fd = error(-errno, "cannot make '%s': %s", name, strerror(errno));
	free(name);
	return fd;
}

static int identify_at(int at, const char *name, struct trace_file_id *id)
{
	int flags = AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT;
	struct statx st;

	*id = (struct trace_file_id){};
	if (statx(at, name, flags, STATX_INO | STATX_BTIME, &st))
		return -errno;
	id->ino = st.stx_ino;
	id->major = st.stx_dev_major;
	id->minor = st.stx_dev_minor;
	if (st.stx_mask & STATX_BTIME)
		id->born = st.stx_btime;
	return 0;
}

void trace_file_identify(int fd, struct trace_file_id *id)
{
	identify_at(fd, "", id);
}

static bool is_same_inode(const struct trace_file_id *a, const struct trace_file_id *b)
{
	return a->ino == b->ino && a->major == b->major && a->minor == b->minor &&
		a->born.tv_sec == b->born.tv_sec && a->born.tv_nsec == b->born.tv_nsec;
}

int trace_file_try(const char *path)
{
	struct trace_file_id id;
	bool made;
	int fd = trace_file_create(path, 0, &made);

	if (fd < 0)
		return fd;
	trace_file_identify(fd, &id);
	close(fd);
	if (made)
		trace_file_remove(path, 0, &id);
	return 0;
}

/* "1", but not "0", "01" or "1.gz" */
static bool parse_number(const char *s, uint64_t *n)
{
	return *s != '0' && !num_uint(s, n) && *n <= UINT32_MAX;
}

static int by_size(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return (x > y) - (x < y);
}

u32 *trace_file_numbers(const char *path, size_t *n)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	char *dir = need(strndup(slash ? path : ".", slash ? slash - path + 1 : 1));
	size_t len = strlen(base), room = 0;
	u32 *numbers = NULL;
	uint64_t number;
	struct dirent *e;
	DIR *d = opendir(dir);

	*n = 0;
	while (d && (e = readdir(d))) {
		if (strncmp(e->d_name, base, len) || e->d_name[len] != '.' ||
		    !parse_number(e->d_name + len + 1, &number))
			continue;
		if (*n == room) {
			room = 2 * room + 16;
			numbers = need(reallocarray(numbers, room, sizeof(*numbers)));
		}
		numbers[(*n)++] = number;
	}
	if (d)
		closedir(d);
	free(dir);
	if (*n)
		qsort(numbers, *n, sizeof(*numbers), by_size);
	return numbers;
}

int trace_file_check_row(const char *path)
{
	size_t n;
	u32 *numbers = trace_file_numbers(path, &n);
	char *name = n ? trace_file_path(path, numbers[0]) : NULL;
	int ret = n ? error(-EEXIST, "'%s' exists; remove it first", name) : 0;

	free(name);
	free(numbers);
	return ret; /* if the directory is not readable, creating the next file decides */
}

/* The caller works in this directory even if another user replaces it on the path. */
static int open_directory_of(const char *name)
{
	const char *slash = strrchr(name, '/');
	char *dir = need(slash ? strndup(name, slash - name + 1) : strdup("."));
	int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		fd = -errno;
	free(dir);
	return fd;
}

void trace_file_remove(const char *path, u32 number, const struct trace_file_id *id)
{
	char *name = trace_file_path(path, number), *base = strrchr(name, '/');
	int at = open_directory_of(name), ret;
	struct trace_file_id now;

	base = base ? base + 1 : name;
	ret = at < 0 ? at : identify_at(at, base, &now);
	if (!ret && is_same_inode(&now, id))
		unlinkat(at, base, 0);
	else if (!ret)
		warn("'%s' is not removed: another file has this name by now", name);
	if (at >= 0)
		close(at);
	free(name);
}

int trace_file_sync(const char *path, u32 number, const struct trace_file_id *id)
{
	char *name = trace_file_path(path, number);
	int fd = open(name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	int ret = fd < 0 ? -errno : 0;
	struct trace_file_id now;

	if (!ret)
		trace_file_identify(fd, &now);
	if (!ret && !is_same_inode(&now, id))
		ret = -ENOENT;
	else if (!ret && fsync(fd))
		ret = -errno;
	if (fd >= 0)
		close(fd);
	free(name);
	return ret;
}
