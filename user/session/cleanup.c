// SPDX-License-Identifier: GPL-2.0-or-later
/* The cleanup process is a child of iospan. It calls the caller's cleanup function after iospan has
 * ended, even by SIGKILL. To notice the end, the cleanup process reads from one end of a socket
 * pair. The read returns when iospan and its children have closed the other end. */
#include "user/session/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/privileges.h"
#include "user/base/signals.h"
#include "bpf/types.h"

#define SIGNAL_CHECK_MS 50
#define DESCRIPTORS 10 /* a cleanup opens fewer descriptors than this at the same time */
/* after a signal such as SIGINT, cleanup_finish() waits at most this time */
#define GRACE_NS 1000000000ULL

/* Exit status of the cleanup process if it could not remove everything. A smaller status is the
 * count that the cleanup function returned. */
#define FAILED 255

/* Waits for one byte from the socket @fd. Returns false if the other end was closed instead. */
static bool read_byte(int fd)
{
	char byte;
	ssize_t n;

	while ((n = read(fd, &byte, 1)) < 0 && errno == EINTR)
		;
	return n == 1;
}

/* Main function of the cleanup process. The caller has blocked all signals. This function ignores
 * all signals, and then sets the signal mask to @before. The standard streams become /dev/null, so
 * that a reader of iospan's output does not wait until the cleanup process exits. */
static void cleanup_main(const struct cleanup *c, const sigset_t *before)
{
	int null = open("/dev/null", O_RDWR);
	int ret;

	setsid();
	prctl(PR_SET_NAME, "iospan-cleanup");
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, sig == SIGCHLD ? SIG_DFL : SIG_IGN);
	sigprocmask(SIG_SETMASK, before, NULL);
	privileges_drop_tracing();
	if (write(c->socket, "", 1) == 1)
		read_byte(c->socket);
	ret = c->clean(c->of);
	_exit(ret < 0 ? FAILED : ret);
}

/* Checks that the cleanup function will be able to open DESCRIPTORS files. The cleanup process
 * inherits all descriptors of iospan, so the limit of open files may be nearly reached. */
static int check_room(void)
{
	int fds[DESCRIPTORS], n = 0, ret = 0;

	while (n < DESCRIPTORS && (fds[n] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
		n++;
	if (n < DESCRIPTORS)
		ret = error(-errno, "cannot open files for a cleanup: %s; raise ulimit -n",
			    strerror(errno));
	while (n)
		close(fds[--n]);
	return ret;
}

/* Forks the cleanup process, with signals blocked. A signal to the process group could otherwise
 * end the cleanup process before it ignores signals. */
static pid_t start_process(struct cleanup *c, const int *ends)
{
	sigset_t all, before;
	pid_t pid;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	pid = fork();
	c->socket = ends[pid ? 0 : 1];
	close(ends[pid ? 1 : 0]);
	if (!pid)
		cleanup_main(c, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

int cleanup_start(struct cleanup *c, cleanup_function *clean, const void *of)
{
	int ends[2], ret = check_room();

	if (ret)
		return ret;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return error(-errno, "cannot make a socket: %s", strerror(errno));
	c->clean = clean;
	c->of = of;
	c->pid = start_process(c, ends);
	if (c->pid < 0)
		return error(-errno, "cannot fork: %s", strerror(errno));
	/* Wait until the cleanup process has left the process group. Until then, SIGKILL to the
	 * group would end both processes. */
	if (!read_byte(c->socket))
		return error(-ECHILD, "cannot start a cleanup process: it was killed; run again");
	return 0;
}

void cleanup_detach(const struct cleanup *c)
{
	if (c->pid > 0)
		close(c->socket);
}

/* Waits for process @pid to exit. If iospan receives a signal such as SIGINT, waits at most
 * GRACE_NS longer and returns -EINTR. */
static int wait_for_exit(pid_t pid, int *status)
{
	struct pollfd p = { .fd = pidfd_open(pid, 0), .events = POLLIN };
	u64 signalled_ns = 0;
	int ret;

	while (!(ret = waitpid(pid, status, WNOHANG))) {
		if (!signalled_ns && signals_pending())
			signalled_ns = now_ns();
		if (signalled_ns && now_ns() - signalled_ns > GRACE_NS)
			break;
		poll(&p, 1, SIGNAL_CHECK_MS);
	}
	if (p.fd >= 0)
		close(p.fd);
	return ret > 0 ? 0 : ret < 0 ? -ECHILD : -EINTR;
}

int cleanup_finish(struct cleanup *c)
{
	int status, ret;

	if (c->pid <= 0)
		return 0;
	close(c->socket);
	ret = wait_for_exit(c->pid, &status);
	c->pid = 0;
	if (ret)
		return ret;
	if (!WIFEXITED(status))
		return c->clean(c->of);
	return WEXITSTATUS(status) == FAILED ? -EBUSY : WEXITSTATUS(status);
}
