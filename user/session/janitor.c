// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/session/janitor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/signals.h"
#include "bpf/types.h"

#define LOOK_MS 50	       /* at signals that wait to be read */
#define GRACE_NS 1000000000ULL /* after one */

/* Its exit status: what cleaning returned, or: */
#define FAILED 255

/* Waits for our end, which closes the pipe. Holds nothing else of ours open: a
 * reader of our output would wait for it. */
static void live(const struct janitor *j, int pipe_fd)
{
	int null = open("/dev/null", O_RDWR);
	char byte;
	int ret;

	setsid();
	prctl(PR_SET_NAME, "iospan-janitor");
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, sig == SIGCHLD ? SIG_DFL : SIG_IGN);
	while (read(pipe_fd, &byte, 1) < 0 && errno == EINTR)
		;
	ret = j->clean(j->of);
	_exit(ret < 0 ? FAILED : ret);
}

int janitor_start(struct janitor *j, janitor_clean *clean, const void *of)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC))
		return error(-errno, "cannot make a pipe: %s", strerror(errno));
	j->clean = clean;
	j->of = of;
	j->pid = fork();
	if (j->pid < 0)
		return error(-errno, "cannot fork: %s", strerror(errno));
	if (j->pid == 0) {
		close(fds[1]);
		live(j, fds[0]);
	}
	close(fds[0]);
	j->pipe = fds[1];
	return 0;
}

void janitor_leave(const struct janitor *j)
{
	if (j->pid > 0)
		close(j->pipe);
}

/* -EINTR: a request to end came, and the process needs longer than GRACE_NS after it. */
static int wait_for(pid_t pid, int *status)
{
	struct pollfd p = { .fd = pidfd_open(pid, 0), .events = POLLIN };
	u64 asked = 0;
	int ret;

	while (!(ret = waitpid(pid, status, WNOHANG))) {
		if (!asked && signals_pending())
			asked = now_ns();
		if (asked && now_ns() - asked > GRACE_NS)
			break;
		poll(&p, 1, LOOK_MS);
	}
	if (p.fd >= 0)
		close(p.fd);
	return ret > 0 ? 0 : ret < 0 ? -ECHILD : -EINTR;
}

int janitor_end(struct janitor *j)
{
	int status, ret;

	if (j->pid <= 0)
		return 0;
	close(j->pipe);
	ret = wait_for(j->pid, &status);
	j->pid = 0;
	if (ret)
		return ret;
	if (!WIFEXITED(status))
		return j->clean(j->of);
	return WEXITSTATUS(status) == FAILED ? -EBUSY : WEXITSTATUS(status);
}
