/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A child process and its outputs, as harness.c and run_command() use them. */
#ifndef IOSPAN_TESTS_CHILD_H
#define IOSPAN_TESTS_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct stream {
	int fd;	    /* the pipe from the child; -1 if it is closed */
	char *text; /* ends with NUL after child_finish() */
	size_t size;
};

struct child {
	pid_t pid;
	int pidfd;
	struct stream out, err;
	size_t kept; /* for each output, keep only the last @kept bytes; 0: keep all */
};

/* Forks. The child's stdout and stderr become pipes: one for both if @joined.
 * Returns 0 in the child. Exits if the kernel refuses. */
pid_t child_fork(struct child *c, bool joined);

/* Reads the outputs until the child ends (returns 0), @seconds have passed (returns ETIME;
 * 0: no limit), or @signals, a signalfd or -1, delivers a signal that ends this program (returns
 * its negative number). Does not reap the child. If @signals has SIGCHLD, it reaps orphans that
 * the kernel gave to this program. */
int child_watch(struct child *c, int signals, unsigned seconds);

/* Reads the bytes that are in the pipes now, and closes the pipes. It does not wait for more bytes,
 * because a descendant of the child may write for ever. The caller owns the texts. */
void child_finish(struct child *c);

void test_die(const char *what) __attribute__((noreturn)); /* prints the message of errno */

#endif
