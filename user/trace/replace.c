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
#include "user/trace/format.h"

static bool is_trace(int fd)
{
	u8 head[FILE_HEAD];
	struct file_head h;

	return pread(fd, head, sizeof(head), 0) == sizeof(head) && !file_head_get(&h, head);
}

int replace_check(const char *path, bool force)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), ret = 0;
	struct stat st;

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

int replace_set_aside(const char *path, bool force)
{
	char *old = need_text("%s.old", path);
	int ret = replace_check(path, force), there = ret > 0 ? replace_check(old, force) : 0;

	if (there < 0)
		ret = there;
	else if (ret > 0 && rename(path, old))
		ret = error(-errno, "cannot rename '%s' to '%s': %s", path, old, strerror(errno));
	free(old);
	return ret;
}

void replace_put_back(const char *path)
{
	char *old = need_text("%s.old", path);

	if (rename(old, path))
		warn("cannot rename '%s' to '%s': %s", old, path, strerror(errno));
	free(old);
}
