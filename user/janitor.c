// SPDX-License-Identifier: GPL-2.0-or-later
#include "janitor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "err.h"

/* Its exit status: how many it moved, or: */
#define FAILED 255
#define MANY 254

/* A process is in each of them: those of the first count. */
static int remove_groups(const struct cgroup *const *groups)
{
	int moved = cgroup_remove(groups[0]);
	bool failed = moved < 0;

	for (int i = 1; i < JANITOR_GROUPS; i++)
		failed |= cgroup_remove(groups[i]) < 0;
	if (failed)
		return FAILED;
	return moved > MANY ? MANY : moved;
}

/* Waits for our end, which closes the pipe. Holds nothing else of ours open: a
 * reader of our output would wait for it. */
static void live(const struct cgroup *const *groups, int pipe_fd)
{
	int null = open("/dev/null", O_RDWR);
	char byte;

	setsid();
	prctl(PR_SET_NAME, "iospan-janitor");
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, sig == SIGCHLD ? SIG_DFL : SIG_IGN);
	while (read(pipe_fd, &byte, 1) < 0 && errno == EINTR)
		;
	_exit(remove_groups(groups));
}

int janitor_start(struct janitor *j, const struct cgroup *const *groups)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC))
		return error(-errno, "cannot make a pipe: %s", strerror(errno));
	j->pid = fork();
	if (j->pid < 0)
		return error(-errno, "cannot fork: %s", strerror(errno));
	if (j->pid == 0) {
		close(fds[1]);
		live(groups, fds[0]);
	}
	close(fds[0]);
	j->pipe = fds[1];
	j->groups = groups;
	return 0;
}

void janitor_leave(const struct janitor *j)
{
	if (j->pid > 0)
		close(j->pipe);
}

int janitor_end(struct janitor *j)
{
	int status;

	if (j->pid <= 0)
		return 0;
	close(j->pipe);
	while (waitpid(j->pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	j->pid = 0;
	status = WIFEXITED(status) ? WEXITSTATUS(status) : remove_groups(j->groups);
	return status == FAILED ? -EBUSY : status;
}
