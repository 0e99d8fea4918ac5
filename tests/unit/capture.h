/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Captures what the code under test writes to standard output or standard error. */
#ifndef IOSPAN_TESTS_CAPTURE_H
#define IOSPAN_TESTS_CAPTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "tests/lib/harness.h"

struct capture {
	int fd, saved, file;
};

/* Redirects descriptor @fd to a file in memory, until capture_end(). */
static inline struct capture capture_start(int fd)
{
	struct capture c = { fd, dup(fd), memfd_create("capture", 0) };

	fflush(NULL);
	ASSERT_GE(c.saved, 0);
	ASSERT_GE(dup2(c.file, fd), 0);
	return c;
}

/* Restores the descriptor. Returns the captured text, which is valid until the next call. */
static inline const char *capture_end(struct capture c)
{
	static char text[65536];
	ssize_t len;

	fflush(NULL);
	dup2(c.saved, c.fd);
	close(c.saved);
	len = pread(c.file, text, sizeof(text) - 1, 0);
	close(c.file);
	text[len > 0 ? len : 0] = '\0';
	return text;
}

#endif
