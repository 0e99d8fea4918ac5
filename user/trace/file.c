// SPDX-License-Identifier: GPL-2.0-or-later
/* Creates, finds, removes and syncs the files of a trace: PATH, PATH.1, PATH.2 and so on. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/trace/file.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/output-place.h"
#include "user/trace/format.h"

char *trace_file_path(const char *path, u32 number)
{
	return number ? need_text("%s.%u", path, number) : need(strdup(path));
}

int trace_place_open(struct trace_place *p, const char *path)
{
	int at = output_folder(path);

	if (at >= 0 && !*basename(path)) {
		close(at);
		at = -EISDIR;
	}
	*p = (struct trace_place){ .at = at < 0 ? -1 : at, .path = need(strdup(path)) };
	return at < 0 ? error(at, "cannot make '%s': %s", path, strerror(-at)) : 0;
}

void trace_place_close(struct trace_place *p)
{
	if (p->at >= 0)
		close(p->at);
	free(p->path);
	*p = (struct trace_place)TRACE_PLACE_NONE;
}

/* Opens the existing file @name for a new trace, and sets its mode to 0600. Refuses a file that is
 * not empty or belongs to another user. */
static int open_empty(int at, const char *name)
{
	int fd = openat(at, basename(name), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
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

int trace_file_create(const struct trace_place *p, u32 number, bool *made)
{
	char *name = trace_file_path(p->path, number);
	int fd = openat(p->at, basename(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	*made = fd >= 0;
	if (fd < 0 && errno == EEXIST)
		fd = open_empty(p->at, name);
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

int trace_file_try(const struct trace_place *p)
{
	struct trace_file_id id;
	bool made;
	int fd = trace_file_create(p, 0, &made);

	if (fd < 0)
		return fd;
	trace_file_identify(fd, &id);
	close(fd);
	if (made)
		trace_file_remove(p, 0, &id);
	return 0;
}

/* Parses the suffix N of PATH.N. Accepts "1", but not "0", "01" or "1.gz", which no trace uses. */
static bool parse_number(const char *s, uint64_t *n)
{
	return *s != '0' && !num_uint(s, n) && *n <= UINT32_MAX;
}

static int by_size(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return (x > y) - (x < y);
}

static u32 *numbers_in(int at, const char *base, size_t *n)
{
	int fd = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	size_t len = strlen(base), room = 0;
	u32 *numbers = NULL;
	uint64_t number;
	struct dirent *e;

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
	if (*n)
		qsort(numbers, *n, sizeof(*numbers), by_size);
	return numbers;
}

u32 *trace_file_numbers(const char *path, size_t *n)
{
	int at = output_folder(path);
	u32 *numbers;

	*n = 0;
	if (at < 0)
		return NULL;
	numbers = numbers_in(at, basename(path), n);
	close(at);
	return numbers;
}

int trace_file_check_row(const struct trace_place *p)
{
	size_t n;
	u32 *numbers = numbers_in(p->at, basename(p->path), &n);
	char *name = n ? trace_file_path(p->path, numbers[0]) : NULL;
	int ret = n ? error(-EEXIST, "'%s' exists; remove it first", name) : 0;

	free(name);
	free(numbers);
	/* An unreadable directory is no error here: trace_file_create() finds an existing PATH.N
	 * later. */
	return ret;
}

void trace_file_remove(const struct trace_place *p, u32 number, const struct trace_file_id *id)
{
	char *name = trace_file_path(p->path, number);
	struct trace_file_id now;
	int ret = identify_at(p->at, basename(name), &now);

	if (!ret && is_same_inode(&now, id))
		unlinkat(p->at, basename(name), 0);
	else if (!ret)
		warn("'%s' is not removed: another file has this name by now", name);
	free(name);
}

int trace_file_sync(const struct trace_place *p, u32 number, const struct trace_file_id *id)
{
	char *name = trace_file_path(p->path, number);
	int fd = openat(p->at, basename(name), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
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

bool trace_file_is_there(const struct trace_place *p, u32 number, const struct trace_file_id *id)
{
	char *name = trace_file_path(p->path, number);
	struct trace_file_id now;
	int ret = identify_at(AT_FDCWD, name, &now);

	free(name);
	return !ret && is_same_inode(&now, id);
}

/* ---- renaming of an existing file to NAME.old ---- */

static bool is_trace(int fd)
{
	u8 head[FILE_HEAD];
	struct file_head h;

	return pread(fd, head, sizeof(head), 0) == sizeof(head) && !file_head_get(&h, head);
}

/* Returns the last component of @path. @path must be p->path, or p->path with ".old" appended. */
static const char *name_in(const struct trace_place *p, const char *path)
{
	return path + (basename(p->path) - p->path);
}

static int check_path(const struct trace_place *p, const char *path, bool force)
{
	int fd = openat(p->at, name_in(p, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	int ret = 0;

	if (fd < 0)
		return 0;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size && st.st_uid == geteuid() &&
	    !output_is_standard(&st))
		ret = 1;
	if (ret && !force && !is_trace(fd))
		ret = error(-EEXIST, "'%s' exists and is no trace; --force replaces it", path);
	close(fd);
	return ret;
}

/* Checks that the rename to @path (NAME.old) replaces only an older trace or an empty file of this
 * user. With @force, any regular file of this user may be replaced. */
static int check_old(const struct trace_place *p, const char *path, bool force)
{
	int ret = check_path(p, path, force);
	struct stat st;

	if (ret)
		return ret < 0 ? ret : 0;
	if (fstatat(p->at, name_in(p, path), &st, AT_SYMLINK_NOFOLLOW)) {
		if (errno == ENOENT)
			return 0;
	} else if (S_ISREG(st.st_mode) && !st.st_size && st.st_uid == geteuid() &&
		   !output_is_standard(&st)) {
		return 0;
	}
	return error(-EEXIST,
		     "cannot replace '%s': it is not a file of this user's, or the standard output "
		     "or error goes there; remove it",
		     path);
}

int replace_check(const struct trace_place *p, bool force)
{
	char *old = need_text("%s.old", p->path);
	int ret = check_path(p, p->path, force);

	if (ret > 0)
		ret = check_old(p, old, force) ?: 1;
	free(old);
	return ret;
}

static int report_rename(const char *from, const char *to)
{
	return error(-errno, "cannot rename '%s' to '%s': %s", from, to, strerror(errno));
}

int replace_set_aside(const struct trace_place *p, bool force)
{
	char *old = need_text("%s.old", p->path);
	int ret = replace_check(p, force);
	bool replaces = !faccessat(p->at, name_in(p, old), F_OK, AT_SYMLINK_NOFOLLOW);

	if (ret > 0 && renameat(p->at, name_in(p, p->path), p->at, name_in(p, old)))
		ret = report_rename(p->path, old);
	if (ret > 0)
		warn("'%s' exists: it is now '%s'%s", p->path, old,
		     replaces ? ", which is replaced" : "");
	free(old);
	return ret;
}

void replace_put_back(const struct trace_place *p)
{
	char *old = need_text("%s.old", p->path);
	const char *from = name_in(p, old), *to = name_in(p, p->path);

	/* Some file systems lack RENAME_NOREPLACE. linkat() is the alternative: like
	 * RENAME_NOREPLACE, it does not replace an existing file. */
	if (renameat2(p->at, from, p->at, to, RENAME_NOREPLACE) &&
	    (errno != EINVAL || linkat(p->at, from, p->at, to, 0) || unlinkat(p->at, from, 0)))
		report_rename(old, p->path);
	free(old);
}
