/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A child and its outputs: what the parts of the harness share. */
#ifndef IOSPAN_TESTS_CHILD_H
#define IOSPAN_TESTS_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct stream {
	int fd;	    /* of a pipe; -1: closed */
	char *text; /* NUL-ended once the child was watched */
	size_t size;
};

struct child {
	pid_t pid;
	int pidfd;
	struct stream out, err;
	size_t kept; /* only so much of the end of each; 0: everything */
};

/* Forks; the child's stdout and stderr become pipes, one for both if @joined.
 * Returns 0 in the child. */
pid_t child_fork(struct child *c, bool joined);

/* Reads the outputs until the child ends: 0. Or until @seconds (0: any time)
 * have passed: ETIME. Or until a signal that ends this program comes in by
 * @signals (a signalfd, -1: none): its negative number. The child is not
 * reaped; orphans that came to this program are, when @signals has SIGCHLD. */
int child_watch(struct child *c, int signals, unsigned seconds);

/* Reads what is left in the pipes and no more, as whoever was left behind may
 * go on writing for ever; closes all. The texts are the caller's. */
void child_finish(struct child *c);

void test_die(const char *what) __attribute__((noreturn)); /* with errno */

#endif
