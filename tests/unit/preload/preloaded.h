/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions for test programs that run with the preloaded library (libiospan.so). reads() makes
 * reads of 100 bytes. run_mode() runs the function that the argument names. */
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
#include <sys/syscall.h>
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

/* Bypasses libc, so that the library does not see the call. Returns the result or -errno. */
static inline long bare_call(long n, long a, long b, long c)
{
#ifdef __x86_64__
	__asm__ volatile("syscall" : "+a"(n) : "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return n;
#else
	register long x8 __asm__("x8") = n, x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b, x2 __asm__("x2") = c;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
	return x0;
#endif
}

static int fd;

static inline int file_of(const char *name, size_t size)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	CHECK(fd >= 0 && ftruncate(fd, size) == 0);
	return fd;
}

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
