// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs a child process with a time limit for the harness, and collects its output. An orphan is a
 * process that lost its parent; the harness adopts the orphans of a test. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tests/lib/child.h"
#include "tests/lib/harness.h"

#define CHUNK (1 << 16)

void test_die(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

static int stream_open(struct stream *s)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC))
		test_die("pipe");
	*s = (struct stream){ .fd = fds[0] };
	return fds[1];
}

static void stream_cut(struct stream *s, size_t kept)
{
	memmove(s->text, s->text + s->size - kept, kept);
	s->size = kept;
}

static size_t stream_read(struct stream *s, size_t size, size_t kept)
{
	ssize_t n;

	s->text = realloc(s->text, s->size + size);
	if (!s->text)
		test_die("realloc");
	n = read(s->fd, s->text + s->size, size);
	if (n == 0 || (n < 0 && errno != EINTR)) {
		close(s->fd);
		s->fd = -1;
	}
	if (n <= 0)
		return 0;
	s->size += n;
	if (kept && s->size > 2 * kept)
		stream_cut(s, kept);
	return n;
}

static void stream_finish(struct stream *s, size_t kept)
{
	int left = 0;

	if (s->fd >= 0)
		ioctl(s->fd, FIONREAD, &left);
	while (s->fd >= 0 && left > 0)
		left -= stream_read(s, left, kept);
	if (s->fd >= 0)
		close(s->fd);
	if (kept && s->size > kept)
		stream_cut(s, kept);
	s->text = realloc(s->text, s->size + 1);
	if (!s->text)
		test_die("realloc");
	s->text[s->size] = 0;
}

pid_t child_fork(struct child *c, bool joined)
{
	int out = stream_open(&c->out), err = out;

	c->err.fd = -1;
	if (!joined)
		err = stream_open(&c->err);
	c->pid = fork();
	if (c->pid == 0) {
		dup2(out, STDOUT_FILENO);
		dup2(err, STDERR_FILENO);
		return 0;
	}
	c->pidfd = c->pid < 0 ? -1 : pidfd_open(c->pid, 0);
	if (c->pidfd < 0)
		test_die("fork");
	close(out);
	if (!joined)
		close(err);
	return c->pid;
}

/* Reaps adopted orphans, but not the process @but. A test may wait until an orphan no longer
 * exists, so orphans must not remain zombies. */
static void reap_orphans(pid_t but)
{
	siginfo_t info = { 0 };

	while (!waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid &&
	       info.si_pid != but) {
		waitpid(info.si_pid, NULL, 0);
		info.si_pid = 0;
	}
}

static long long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

int child_watch(struct child *c, int signals, unsigned seconds)
{
	long long deadline = now_ms() + seconds * 1000LL;
	struct signalfd_siginfo info;

	for (;;) {
		struct pollfd p[] = { { c->out.fd, POLLIN, 0 },
				      { c->err.fd, POLLIN, 0 },
				      { c->pidfd, POLLIN, 0 },
				      { signals, POLLIN, 0 } };
		long long left = seconds ? deadline - now_ms() : -1;

		if (seconds && left <= 0)
			return ETIME;
		if (poll(p, 4, left) < 0)
			continue;
		if (p[0].revents)
			stream_read(&c->out, CHUNK, c->kept);
		if (p[1].revents)
			stream_read(&c->err, CHUNK, c->kept);
		if (p[3].revents && read(signals, &info, sizeof(info)) == sizeof(info)) {
			if (info.ssi_signo != SIGCHLD)
				return -(int)info.ssi_signo;
			reap_orphans(c->pid);
		}
		if (p[2].revents)
			return 0;
	}
}

void child_finish(struct child *c)
{
	stream_finish(&c->out, c->kept);
	stream_finish(&c->err, c->kept);
	close(c->pidfd);
}

struct result run_command(const char *fmt, ...)
{
	struct child c = { 0 };
	char *command;
	va_list ap;
	int status;

	va_start(ap, fmt);
	if (vasprintf(&command, fmt, ap) < 0)
		test_die("vasprintf");
	va_end(ap);
	if (child_fork(&c, false) == 0) {
		execl("/bin/sh", "sh", "-c", command, NULL);
		_exit(127);
	}
	free(command);
	child_watch(&c, -1, 0); /* no limit here, because the whole test has a time limit */
	waitpid(c.pid, &status, 0);
	child_finish(&c);
	return (struct result){
		.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
		.out = c.out.text,
		.out_size = c.out.size,
		.err = c.err.text,
		.err_size = c.err.size,
	};
}

void run_free(struct result *r)
{
	free(r->out);
	free(r->err);
	*r = (struct result){ 0 };
}
