// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs `iospan record` in a child process to make a temporary trace. The directory of the trace is
 * removed at the end. */
#include "tools/characterize/live-trace.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/base/clock.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/signals.h"

/* Makes the temporary directory for the trace. r->path leads through /proc to the descriptor of the
 * directory. So the path stays valid even if another user renames the directory. */
static int make_trace_directory(struct live_trace *r)
{
	const char *base = getenv("TMPDIR");
	char name[64];
	int ret;

	base = base && *base ? base : "/var/tmp";
	snprintf(name, sizeof(name), "iospan-%d-%llx", (int)getpid(), (unsigned long long)now_ns());
	ret = workdir_open(&r->dir, base);
	if (!ret)
		ret = workdir_make(&r->dir, base, name, false);
	if (!ret)
		r->path = need_text("/proc/%d/fd/%d/trace", (int)getpid(), r->dir.fd);
	return ret;
}

/* Returns the command line of `iospan record` as an array, which ends with NULL. The caller frees
 * the array, but not its strings. */
static const char **record_words(const struct live_trace *r, char *const *argv, const char *time,
				 const char *layers)
{
	const char *first[] = { "iospan",
				"record",
				"-q",
				"-o",
				r->path,
				"--layers",
				layers,
				*argv ? "--" : "--duration",
				*argv ? NULL : time };
	size_t n = 0, given = 0;
	const char **words;

	while (argv[given])
		given++;
	words = need(calloc(sizeof(first) / sizeof(*first) + given + 1, sizeof(*words)));
	for (; n < sizeof(first) / sizeof(*first) && first[n]; n++)
		words[n] = first[n];
	memcpy(words + n, argv, given * sizeof(*argv));
	return words;
}

/* Executes `iospan record` in the child process. If the parent ends, PR_SET_PDEATHSIG ends the
 * recording, because nobody would read its trace. */
static void exec_record(const char **words, const sigset_t *mask, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	sigprocmask(SIG_SETMASK, mask, NULL);
	signals_unignore();
	dup2(STDERR_FILENO, STDOUT_FILENO);
	execv("/proc/self/exe", (char *const *)words);
	_exit(127);
}

/* Waits until `iospan record` exits, and returns its exit status as a shell does. If another
 * process sends a signal (si_code <= 0), passes it on to `iospan record`. A signal from the
 * terminal, such as Ctrl-C, reaches `iospan record` anyway. */
static int wait_for_record(pid_t child, int signals)
{
	struct pollfd p = { .fd = signals, .events = POLLIN };
	struct signalfd_siginfo info;
	int status;

	while (waitpid(child, &status, WNOHANG) != child) {
		poll(&p, 1, -1);
		while (read(signals, &info, sizeof(info)) == sizeof(info))
			if (info.ssi_signo != SIGCHLD && info.ssi_code <= 0)
				kill(child, info.ssi_signo);
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int run_record(const char **words)
{
	sigset_t before;
	int signals = signals_catch(SIGCHLD, &before), status;
	pid_t us = getpid(), child;

	if (signals < 0)
		return signals;
	child = fork();
	if (!child)
		exec_record(words, &before, us);
	status = child < 0 ? error(-errno, "cannot fork: %s", strerror(errno)) :
			     wait_for_record(child, signals);
	signals_release(signals, &before);
	return status;
}

int live_trace_make(struct live_trace *r, char *const *argv, u64 for_ns, const char *layers)
{
	int ret = make_trace_directory(r);
	const char **words;
	char *time;

	if (ret)
		return ret;
	time = need_text("%lluns", (unsigned long long)for_ns);
	words = record_words(r, argv, time, layers);
	ret = run_record(words);
	free(words);
	free(time);
	if (ret < 0)
		return ret;
	/* no trace was made, and `iospan record` has already printed why */
	if (access(r->path, F_OK))
		return -ECHILD;
	if (ret)
		warn("the recording ended with status %d", ret);
	return 0;
}

void live_trace_remove(struct live_trace *r)
{
	int ret = workdir_close(&r->dir);

	if (ret < 0)
		warn("cannot remove the directory of the temporary trace: %s", strerror(-ret));
	free(r->path);
}
