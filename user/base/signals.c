// SPDX-License-Identifier: GPL-2.0-or-later
/* Catches the signals that ask iospan to end. Calls of signals_catch() may be nested; the signal
 * mask is restored when the outermost call is undone. */
#include "user/base/signals.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "user/base/clock.h"
#include "user/base/err.h"

static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
/* number of calls of signals_catch() that signals_release() has not undone */
static unsigned catchers;
static sigset_t before_all; /* signal mask before the outermost signals_catch() */

int signals_catch(int more, sigset_t *before)
{
	struct sigaction action;
	sigset_t set;
	int fd;

	sigemptyset(&set);
	if (more)
		sigaddset(&set, more);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (!sigaction(ends[i], NULL, &action) && action.sa_handler != SIG_IGN)
			sigaddset(&set, ends[i]);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		return error(-errno, "signalfd: %s", strerror(errno));
	sigprocmask(SIG_BLOCK, &set, before);
	if (!catchers++)
		before_all = *before;
	*before = before_all;
	return fd;
}

static bool drain(int fd)
{
	struct signalfd_siginfo info;
	bool any = false;

	while (read(fd, &info, sizeof(info)) == sizeof(info))
		any = true;
	return any;
}

bool signals_came(int fd, uint64_t *last_ns)
{
	uint64_t now = now_ns(), last = *last_ns;

	if (!drain(fd))
		return false;
	*last_ns = now;
	return now - last > SIGNALS_ONCE_NS;
}

bool signals_pending(void)
{
	bool any = false;
	sigset_t set;

	sigpending(&set);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		any |= sigismember(&set, ends[i]);
	return any;
}

void signals_release(int fd, const sigset_t *before)
{
	if (!--catchers) {
		drain(fd);
		sigprocmask(SIG_SETMASK, before, NULL);
	}
	close(fd);
}

static const int ignored[] = { SIGPIPE, SIGXFSZ };
static bool by_parent[sizeof(ignored) / sizeof(*ignored)];

bool signals_ignore(void)
{
	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		by_parent[i] = signal(ignored[i], SIG_IGN) == SIG_IGN;
	return by_parent[0];
}

void signals_unignore(void)
{
	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], by_parent[i] ? SIG_IGN : SIG_DFL);
}
