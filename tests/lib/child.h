/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a child process and collects its output. harness.c and run_command() use it. */
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
	size_t kept; /* number of last bytes to keep of each output; 0: all */
};

/* Forks a child. Its stdout and stderr are pipes, or one pipe if @joined. Returns 0 in the child.
 * Exits if fork() fails. */
pid_t child_fork(struct child *c, bool joined);

/* Collects output until the child ends (returns 0), or until @seconds have passed (returns ETIME;
 * 0: no limit), or until a signal in the signalfd @signals (-1: none) ends this program (returns
 * -signal). Does not reap the child. With SIGCHLD in @signals, reaps orphans that this program has
 * adopted. */
int child_watch(struct child *c, int signals, unsigned seconds);

/* Reads what the pipes contain now, and closes them. Does not wait for more, because a descendant
 * of the child may write for ever. The caller frees the texts. */
void child_finish(struct child *c);

void test_die(const char *what) __attribute__((noreturn));

#endif
