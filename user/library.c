// SPDX-License-Identifier: GPL-2.0-or-later
#include "library.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool library_find(const char *name, char path[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - NAME_MAX - 1);
	char *slash;

	path[n > 0 ? n : 0] = '\0';
	slash = strrchr(path, '/');
	strcpy(slash ? slash + 1 : path, name);
	if (!access(path, R_OK))
		return true;
	snprintf(path, PATH_MAX, "%s/%s", LIBDIR, name);
	return !access(path, R_OK);
}
