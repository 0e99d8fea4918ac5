/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Catches SIGINT, SIGTERM and SIGHUP, which ask iospan to end, by a signalfd. */
#ifndef IOSPAN_SIGNALS_H
#define IOSPAN_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* timeout(1) signals a process and its group, so signals within this time count as one */
#define SIGNALS_ONCE_NS 100000000ULL

/* Blocks SIGINT, SIGTERM, SIGHUP and @more (0: none), and returns a signalfd for them. Ignored
 * signals stay ignored, as under nohup. Calls nest: *@before is the mask before the outermost.
 * Returns -errno after an error message. */
int signals_catch(int more, sigset_t *before);

/* Returns true if signalfd @fd has a new signal: not within SIGNALS_ONCE_NS of *@last_ns. */
bool signals_came(int fd, uint64_t *last_ns);

/* Returns true if a caught signal was not read yet. */
bool signals_pending(void);

/* Undoes one signals_catch() and closes @fd. The outermost call restores the mask @before. */
void signals_release(int fd, const sigset_t *before);

/* Ignores SIGPIPE and SIGXFSZ: a write fails instead. Returns true if SIGPIPE was ignored. */
bool signals_ignore(void);

/* Restores SIGPIPE and SIGXFSZ in a child before exec. */
void signals_unignore(void);

#endif
