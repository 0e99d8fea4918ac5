/* SPDX-License-Identifier: GPL-2.0-or-later */
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

/* Child with stdout and stderr in pipes, or one pipe if @joined. Returns 0 in the child. Exits if
 * fork() fails. */
pid_t child_fork(struct child *c, bool joined);

/* Collects output until the child ends (0), @seconds pass (ETIME; 0: no limit), or a signal in
 * @signals (-1: none) ends this program (-signal). Does not reap the child, but with SIGCHLD in
 * @signals adopted orphans. */
int child_watch(struct child *c, int signals, unsigned seconds);

/* Reads what the pipes have now, because a descendant may write for ever. The caller frees the
 * texts. */
void child_finish(struct child *c);

void test_die(const char *what) __attribute__((noreturn));

#endif
