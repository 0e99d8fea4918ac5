/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Catches SIGINT, SIGTERM and SIGHUP, the signals that ask iospan to end. The signals are blocked,
 * and a signalfd returns them. */
#ifndef IOSPAN_SIGNALS_H
#define IOSPAN_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Signals within this time, in ns, are treated as one signal. The reason is timeout(1), which
 * signals a process and, right after, its process group. */
#define SIGNALS_ONCE_NS 100000000ULL

/* Blocks SIGINT, SIGTERM, SIGHUP and the signal @more (0: none), and returns a signalfd for these
 * signals. Ignored signals stay ignored, as under nohup. Calls may be nested. Sets *@before to the
 * signal mask before the outermost call. After an error, prints it and returns -errno. */
int signals_catch(int more, sigset_t *before);

/* Reads all waiting signals from signalfd @fd. If there are any, sets *@last_ns to the current time
 * (now_ns()). Returns false if there are none, or if they belong to the signal before them: this is
 * so within SIGNALS_ONCE_NS after the old *@last_ns. */
bool signals_came(int fd, uint64_t *last_ns);

/* Returns true if a caught signal was not read yet. */
bool signals_pending(void);

/* Undoes one call of signals_catch() and closes @fd. Calls of signals_catch() may be nested. If the
 * undone call was the outermost one, restores the signal mask @before. */
void signals_release(int fd, const sigset_t *before);

/* Ignores SIGPIPE and SIGXFSZ, so that a write fails with an error instead. Returns true if SIGPIPE
 * was already ignored when iospan started. */
bool signals_ignore(void);

/* Restores SIGPIPE and SIGXFSZ as they were when iospan started. A child calls this before exec. */
void signals_unignore(void);

#endif
