// SPDX-License-Identifier: GPL-2.0-or-later
/* Renames an existing file to NAME.old, so that a new trace can take its path. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/base/need.h"
#include "user/base/output-place.h"
#include "user/trace/file.h"
#include "user/trace/format.h"

static bool is_trace(int fd)
{
	u8 head[FILE_HEAD];
	struct file_head h;

	return pread(fd, head, sizeof(head), 0) == sizeof(head) && !file_head_get(&h, head);
}

/* Returns the last component of @path. @path must be p->path, or p->path with ".old" appended. */
static const char *name_in(const struct trace_place *p, const char *path)
{
	return path + (trace_place_name(p) - p->path);
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

	if (ret > 0 && renameat(p->at, name_in(p, p->path), p->at, name_in(p, old)))
		ret = report_rename(p->path, old);
	free(old);
	return ret;
}

void replace_put_back(const struct trace_place *p)
{
	char *old = need_text("%s.old", p->path);
	const char *from = name_in(p, old), *to = name_in(p, p->path);

	/* Some file systems lack RENAME_NOREPLACE. linkat() is the alternative, because it does not
	 * replace an existing file, either. */
	if (renameat2(p->at, from, p->at, to, RENAME_NOREPLACE) &&
	    (errno != EINVAL || linkat(p->at, from, p->at, to, 0) || unlinkat(p->at, from, 0)))
		report_rename(old, p->path);
	free(old);
}
