// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the shared objects of iospan in the directory of the command, or in LIBDIR. */
#include "user/base/library.h"

#include <libgen.h>
#include <stdio.h>
#include <unistd.h>

bool library_find(const char *name, char path[PATH_MAX])
{
	static const char *const places[] = { ".", LIBDIR };
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	const char *dir;

	/* Without /proc, the command's directory is unknown. The current directory is no
	 * replacement, because another user could have put a library there. */
	if (n <= 0)
		return false;
	exe[n] = '\0';
	dir = dirname(exe);
	for (unsigned i = 0; i < sizeof(places) / sizeof(*places); i++) {
		n = snprintf(path, PATH_MAX, "%s/%s/%s", dir, places[i], name);
		if (n < PATH_MAX && !access(path, R_OK))
			return true;
	}
	return false;
}
