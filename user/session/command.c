// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs a command in the cgroups of a session. iospan makes these cgroups for the command. */
#include "user/session/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/signals.h"
#include "bpf/event.h"

#define GRACE_NS 2000000000ULL /* time that the command has to exit after a signal to iospan */

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

enum { FAILED_CGROUP, FAILED_EXEC };

struct failure {
	int what, err;
};

static void child_fails(int fd, int what, int err)
{
	struct failure f = { what, err };

	if (write(fd, &f, sizeof(f)) < 0)
		_exit(126);
	_exit(127);
}

static void command_main(struct session *s, char **argv, int go, int report, int app_fd,
			 const char *library)
{
	int ret = session_enter(s);
	char byte;

	if (ret)
		child_fails(report, FAILED_CGROUP, -ret);
	signals_unignore();
	if (s->child_ignored)
		signal(SIGCHLD, SIG_IGN);
	sigprocmask(SIG_SETMASK, &s->mask, NULL);
	set_environment(app_fd, library);
	if (read(go, &byte, 1) != 1)
		_exit(127);
	execvp(argv[0], argv);
	child_fails(report, FAILED_EXEC, errno);
}

int command_spawn(struct session *s, char **argv, int app_fd, const char *library)
{
	int go[2], report[2];

	/* if the session has run a command before, signals are already caught */
	if (s->signals < 0)
		s->signals = signals_catch(SIGCHLD, &s->mask);
	if (s->signals < 0)
		return s->signals;
	if (pipe2(go, O_CLOEXEC) || pipe2(report, O_CLOEXEC))
		return error(-errno, "cannot make a pipe: %s", strerror(errno));
	s->child = fork();
	if (s->child < 0)
		return error(-errno, "cannot fork: %s", strerror(errno));
	if (s->child == 0) {
		close(go[1]);
		command_main(s, argv, go[0], report[1], app_fd, library);
	}
	close(go[0]);
	close(report[1]);
	s->go = go[1];
	s->exec_error = report[0];
	return 0;
}

/* Prints why the command @name cannot be executed. Returns 126 or 127, as a shell does. If the file
 * exists, ENOENT means that the interpreter of the script is missing. */
static int exec_status(int err, const char *name)
{
	bool exists = strchr(name, '/') && !access(name, F_OK);
	const char *why = strerror(err);

	if (err == ENOENT)
		why = exists ? "its interpreter was not found" : "command not found";
	error(-err, "cannot run '%s': %s", name, why);
	return err == ENOENT && !exists ? 127 : 126;
}

int command_go(struct session *s, const char *name)
{
	struct failure f;
	/* The write fails if the child has already exited after an error. */
	bool waits = write(s->go, "", 1) == 1;
	ssize_t n;

	do {
		n = read(s->exec_error, &f, sizeof(f));
	} while (n < 0 && errno == EINTR);
	close(s->go);
	close(s->exec_error);
	if (n != sizeof(f) && waits)
		return 0; /* The pipe was closed without a message, so execvp() has succeeded. */
	waitpid(s->child, NULL, 0);
	if (n != sizeof(f))
		return error(-ECHILD, "the process for '%s' died before exec", name);
	if (f.what == FAILED_EXEC)
		return exec_status(f.err, name);
	return error(-f.err, "cannot move the command into the cgroup '%s': %s", s->target.path,
		     strerror(f.err));
}

/* Returns the last pending signal other than SIGCHLD, or 0. If the command still runs (@runs),
 * sends it the signals that another process sent to iospan by kill(). Signals of the terminal, such
 * as Ctrl-C, are not passed on, because the terminal also sends them to the command. */
static int read_signal(struct session *s, bool runs)
{
	struct signalfd_siginfo info;
	int sig = 0;

	while (read(s->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			continue;
		sig = info.ssi_signo;
		if (runs && info.ssi_code <= 0)
			kill(s->child, sig);
	}
	return sig;
}

int command_wait(struct session *s, void (*on_poll)(void *), void *arg, u64 poll_ns, bool *runs_on)
{
	struct pollfd p = { .fd = s->signals, .events = POLLIN };
	u64 deadline = 0, next = now_ns() + poll_ns, asked_ns = 0, now;
	int status, sig;

	*runs_on = false;
	for (;;) {
		pid_t pid = waitpid(s->child, &status, WNOHANG);

		if (pid == s->child && !s->asked)
			s->asked = read_signal(s, false);
		if (pid == s->child)
			return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
		now = now_ns();
		if (now >= next) {
			on_poll(arg);
			next = now + poll_ns;
		}
		if (deadline && now >= deadline) {
			*runs_on = true;
			return 128 + s->asked;
		}
		poll(&p, 1, next > now ? (next - now) / 1000000 + 1 : 0);
		sig = read_signal(s, true);
		if (!sig)
			continue;
		now = now_ns();
		if (!s->asked) {
			s->asked = sig;
			asked_ns = now;
			deadline = now + GRACE_NS;
			/* second signal: do not wait for the command any longer */
		} else if (now - asked_ns > SIGNALS_ONCE_NS) {
			deadline = now;
		}
	}
}
