// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/trace/replace.h"

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

/* Returns the last component of @path, which is p->path or p->path with ".old" appended. */
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

int replace_check(const struct trace_place *p, bool force)
{
	return check_path(p, p->path, force);
}

static int rename_in(const struct trace_place *p, const char *from, const char *to)
{
	if (!renameat(p->at, name_in(p, from), p->at, name_in(p, to)))
		return 0;
	return error(-errno, "cannot rename '%s' to '%s': %s", from, to, strerror(errno));
}

int replace_set_aside(const struct trace_place *p, bool force)
{
	char *old = need_text("%s.old", p->path);
	int ret = replace_check(p, force), there = ret > 0 ? check_path(p, old, force) : 0;

	if (there < 0)
		ret = there;
	else if (ret > 0)
		ret = rename_in(p, p->path, old) ?: 1;
	free(old);
	return ret;
}

void replace_put_back(const struct trace_place *p)
{
	char *old = need_text("%s.old", p->path);

	rename_in(p, old, p->path);
	free(old);
}
