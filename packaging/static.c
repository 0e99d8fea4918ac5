// SPDX-License-Identifier: GPL-2.0-or-later
/* Replaces the functions of the dynamic loader in the static command. libc's own functions would
 * load a second libc, and would work only with the libc version of the build. */
#include <dlfcn.h>
#include <stddef.h>

void *dlopen(const char *file, int mode)
{
	return NULL;
}

void *dlsym(void *restrict handle, const char *restrict name)
{
	return NULL;
}

char *dlerror(void)
{
	static char text[] = "the static iospan loads no library; build one with 'make'";

	return text;
}
