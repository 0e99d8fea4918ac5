/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a child process for the harness of tests, and collects its output. An orphan is a process
 * that lost its parent; the harness adopts the orphans of a test. */
#ifndef IOSPAN_TESTS_CHILD_H
#define IOSPAN_TESTS_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct stream {
	int fd; /* the end of the pipe from which the output is read; -1: closed */
	char *text;
	size_t size;
};

struct child {
	pid_t pid;
	int pidfd;
	struct stream out, err;
	size_t kept; /* keeps only this number of bytes at the end of each output; 0: all */
};

/* Forks a child with stdout and stderr in two pipes, or in one pipe if @joined. Returns 0 in the
 * child, and its pid in the parent. Exits if fork() fails. */
pid_t child_fork(struct child *c, bool joined);

/* Collects output until the child ends, and then returns 0. Returns ETIME after @seconds (0: no
 * limit). @signals is a signalfd (-1: none). If the signalfd has a signal other than SIGCHLD,
 * returns -signal. At each SIGCHLD, reaps adopted orphans, but never the child. */
int child_watch(struct child *c, int signals, unsigned seconds);

/* Reads only the output that is in the pipes now, because a descendant may write for ever. The
 * caller frees the texts. */
void child_finish(struct child *c);

void test_die(const char *what) __attribute__((noreturn));

#endif
