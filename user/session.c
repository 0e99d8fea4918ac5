// SPDX-License-Identifier: GPL-2.0-or-later
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <linux/magic.h>
#include <sys/signalfd.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "err.h"
#include "../bpf/event.h"

#define GRACE_NS 2000000000ULL
/* timeout(1) and others signal us and then our group: that is one request. */
#define ONCE_NS 100000000ULL
#define JANITOR_FAILED 255
#define JANITOR_MANY 254

/* ---- the janitor ---- */

static int remove_groups(const struct session *s)
{
	int moved = cgroup_remove(&s->target), ret = 0;

	if (strcmp(s->charged.path, s->target.path))
		ret = cgroup_remove(&s->charged);
	if (moved < 0 || ret < 0)
		return moved < 0 ? moved : ret;
	return moved;
}

/* Waits for our end, which closes the pipe, then cleans up. A process of its
 * own, because kill -9 leaves us no chance. */
static void janitor_main(const struct session *s, int pipe_fd)
{
	int null = open("/dev/null", O_RDWR), moved;
	char byte;

	setsid();
	prctl(PR_SET_NAME, "iospan-janitor");
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, sig == SIGCHLD ? SIG_DFL : SIG_IGN);
	while (read(pipe_fd, &byte, 1) < 0 && errno == EINTR)
		;
	moved = remove_groups(s);
	_exit(moved < 0 ? JANITOR_FAILED : moved > JANITOR_MANY ? JANITOR_MANY : moved);
}

static int start_janitor(struct session *s)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC))
		return error(-errno, "cannot make a pipe: %s", strerror(errno));
	s->janitor = fork();
	if (s->janitor < 0)
		return error(-errno, "cannot fork: %s", strerror(errno));
	if (s->janitor == 0) {
		close(fds[1]);
		janitor_main(s, fds[0]);
	}
	close(fds[0]);
	s->janitor_pipe = fds[1];
	return 0;
}

int session_end(struct session *s)
{
	int status;

	if (s->janitor <= 0)
		return 0;
	close(s->janitor_pipe);
	while (waitpid(s->janitor, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	s->janitor = 0;
	if (!WIFEXITED(status) || WEXITSTATUS(status) == JANITOR_FAILED)
		return error(-EBUSY, "cannot remove the cgroup '%s'", s->target.path);
	return WEXITSTATUS(status);
}

/* ---- the groups ---- */

static int find_parent(const char *path, struct cgroup *parent)
{
	struct statfs fs;
	int ret;

	if (path && !statfs(path, &fs) && fs.f_type != CGROUP2_SUPER_MAGIC)
		return error(-EINVAL, "cannot use the cgroup '%s': it is not in a cgroup version "
				      "2 file system", path);
	ret = path ? cgroup_at(path, parent) : cgroup_self(CGROUP_V2, parent);
	if (ret == -ENOENT && !path)
		return error(ret, "no cgroup version 2 file system is mounted; try 'mount -t "
				  "cgroup2 none /sys/fs/cgroup'");
	if (ret == -EXDEV)
		return error(ret, "the root of the cgroup tree cannot be seen from this cgroup "
				  "namespace; run in the host's");
	if (ret)
		return error(ret, "cannot use the cgroup '%s': %s", path ? path : "of this process",
			     strerror(-ret));
	return 0;
}

static int make(struct cgroup *cg)
{
	int ret = cgroup_make(cg);

	return ret ? error(ret, "cannot make the cgroup '%s': %s", cg->path, strerror(-ret)) : 0;
}

int session_begin(struct session *s, const char *parent_path, enum charge charge)
{
	struct cgroup parent, blkio;
	char name[64];
	bool on_v1;
	int ret;

	*s = (struct session){ .go = -1, .exec_error = -1, .signals = -1 };
	/* children whose end is ignored cannot be waited for */
	s->child_ignored = signal(SIGCHLD, SIG_DFL) == SIG_IGN;
	/* Not the number alone: another pid namespace may have the same. */
	snprintf(name, sizeof(name), "iospan-%d-%llx", (int)getpid(),
		 (unsigned long long)now_ns());
	ret = find_parent(parent_path, &parent);
	if (!ret && cgroup_child(&parent, name, &s->target))
		ret = error(-ENAMETOOLONG, "the cgroup path is too long");
	if (ret)
		return ret;
	on_v1 = charge != CHARGE_TASK && !cgroup_self(CGROUP_BLKIO, &blkio) &&
		!cgroup_child(&blkio, name, &s->charged);
	ret = start_janitor(s);
	if (!ret)
		ret = make(&s->target);
	if (ret)
		return ret;
	if (charge != CHARGE_TASK && cgroup_has_io(&s->target))
		s->charged = s->target;
	else if (on_v1)
		ret = make(&s->charged);
	else if (charge == CHARGE_KERNEL)
		ret = error(-ENOTSUP, "the io controller is not enabled in '%s'; try "
				      "--attribution=task or --parent", parent.path);
	return ret;
}

/* ---- the command ---- */

static void set_environment(int app_fd, const char *library)
{
	const char *old = getenv("LD_PRELOAD");
	char number[16], *preload = NULL;

	if (app_fd < 0)
		return;
	if (asprintf(&preload, "%s%s%s", library, old && *old ? ":" : "", old ? old : "") < 0)
		_exit(ENOMEM);
	setenv("LD_PRELOAD", preload, 1);
	snprintf(number, sizeof(number), "%d", app_fd);
	setenv(APP_ENV_FD, number, 1);
	snprintf(number, sizeof(number), "%d", (int)getppid());
	setenv(APP_ENV_PID, number, 1);
}

static void child_fails(int fd)
{
	int err = errno;

	if (write(fd, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

static void child_main(struct session *s, char **argv, int go, int report, int app_fd,
		       const char *library)
{
	char byte;

	if (cgroup_enter(&s->target, 0) ||
	    (s->charged.path[0] && strcmp(s->charged.path, s->target.path) &&
	     cgroup_enter(&s->charged, 0)))
		child_fails(report);
	signal(SIGPIPE, SIG_DFL);	/* main() ignores it */
	if (s->child_ignored)
		signal(SIGCHLD, SIG_IGN);
	sigprocmask(SIG_SETMASK, &s->mask, NULL);
	set_environment(app_fd, library);
	if (read(go, &byte, 1) != 1)
		_exit(127);
	execvp(argv[0], argv);
	child_fails(report);
}

/* From here on SIGINT and its kin are read, not suffered; but not what we were
 * started to ignore, by nohup or as a shell's background job. */
static int catch_signals(struct session *s)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (!sigaction(ends[i], NULL, &action) && action.sa_handler != SIG_IGN)
			sigaddset(&set, ends[i]);
	sigprocmask(SIG_BLOCK, &set, &s->mask);
	s->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return s->signals < 0 ? error(-errno, "signalfd: %s", strerror(errno)) : 0;
}

int session_spawn(struct session *s, char **argv, int app_fd, const char *library)
{
	int go[2], report[2], ret = catch_signals(s);

	if (ret)
		return ret;
	if (pipe2(go, O_CLOEXEC) || pipe2(report, O_CLOEXEC))
		return error(-errno, "cannot make a pipe: %s", strerror(errno));
	s->child = fork();
	if (s->child < 0)
		return error(-errno, "cannot fork: %s", strerror(errno));
	if (s->child == 0) {
		close(go[1]);
		child_main(s, argv, go[0], report[1], app_fd, library);
	}
	close(go[0]);
	close(report[1]);
	s->go = go[1];
	s->exec_error = report[0];
	return 0;
}

int session_go(struct session *s)
{
	int err = 0;
	ssize_t n;

	if (write(s->go, "", 1) != 1)
		return -errno;
	close(s->go);
	do {
		n = read(s->exec_error, &err, sizeof(err));
	} while (n < 0 && errno == EINTR);
	close(s->exec_error);
	if (n != sizeof(err))
		return 0;	/* closed by exec: it runs */
	waitpid(s->child, NULL, 0);
	return -err;
}

/* The next signal other than SIGCHLD that came, 0 for none. A terminal's SIGINT
 * has reached the command already; one sent to us alone is passed on. */
static int read_signal(struct session *s)
{
	struct signalfd_siginfo info;
	int sig = 0;

	while (read(s->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			continue;
		sig = info.ssi_signo;
		if (info.ssi_code <= 0)
			kill(s->child, sig);
	}
	return sig;
}

int session_wait(struct session *s, void (*on_poll)(void *), void *arg, u64 poll_ns,
		 bool *runs_on)
{
	struct pollfd p = { .fd = s->signals, .events = POLLIN };
	u64 deadline = 0, next = now_ns() + poll_ns, asked = 0, now;
	int status, first = 0, sig;

	*runs_on = false;
	for (;;) {
		pid_t pid = waitpid(s->child, &status, WNOHANG);

		if (pid == s->child)
			return WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
						     WEXITSTATUS(status);
		now = now_ns();
		if (now >= next) {
			on_poll(arg);
			next = now + poll_ns;
		}
		if (deadline && now >= deadline) {
			*runs_on = true;
			return 128 + first;
		}
		poll(&p, 1, next > now ? (next - now) / 1000000 + 1 : 0);
		sig = read_signal(s);
		if (!sig)
			continue;
		now = now_ns();
		if (!first) {
			first = sig;
			asked = now;
			deadline = now + GRACE_NS;
		} else if (now - asked > ONCE_NS) {	/* asked again: now */
			deadline = now;
		}
	}
}
