/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For loads that run with the preloaded library: reads of 100 bytes, and run_mode(), which runs the
 * mode that the argument names. */
#ifndef IOSPAN_TESTS_PRELOAD_LOAD_H
#define IOSPAN_TESTS_PRELOAD_LOAD_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "bpf/event.h"

#define CHECK(cond) \
	do { \
		if (!(cond)) { \
			dprintf(2, "line %d: not so: %s\n", __LINE__, #cond); \
			_exit(1); \
		} \
	} while (0)

struct mode {
	const char *name;
	void (*fn)(void);
};

static int fd;

static inline void reads(int n)
{
	char buf[100];

	while (n--)
		CHECK(pread(fd, buf, 100, 0) == 100);
}

static inline int area_number(void)
{
	return atoi(getenv(APP_ENV_FD));
}

static inline int run_mode(const struct mode *modes, int argc, char **argv)
{
	fd = open("file", O_RDWR | O_CREAT, 0600);
	CHECK(fd >= 0 && ftruncate(fd, 4096) == 0);
	for (; modes->name; modes++)
		if (argc == 2 && !strcmp(argv[1], modes->name)) {
			modes->fn();
			return 0;
		}
	return 2;
}

#endif
