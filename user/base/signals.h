/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Catches the signals that ask iospan to end, SIGINT, SIGTERM and SIGHUP. They are read from a
 * signalfd. */
#ifndef IOSPAN_SIGNALS_H
#define IOSPAN_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Signals within this time count as one signal, because timeout(1) signals a process and, right
 * after, its process group. */
#define SIGNALS_ONCE_NS 100000000ULL

/* Blocks SIGINT, SIGTERM, SIGHUP and the signal @more (0: none), and returns a signalfd for them.
 * Ignored signals stay ignored, as under nohup. Calls may be nested: *@before is the signal mask
 * before the outermost call. Returns -errno after an error, which it prints. */
int signals_catch(int more, sigset_t *before);

/* Reads signalfd @fd. Returns true if a new signal has arrived. *@last_ns is the time of the last
 * signal, and is updated. A signal within SIGNALS_ONCE_NS after the last signal is not new. */
bool signals_came(int fd, uint64_t *last_ns);

/* Returns true if a caught signal was not read yet. */
bool signals_pending(void);

/* Undoes one call of signals_catch() and closes @fd. If that call was the outermost one, restores
 * the signal mask @before. */
void signals_release(int fd, const sigset_t *before);

/* Ignores SIGPIPE and SIGXFSZ, so that a write fails with an error instead. Returns true if SIGPIPE
 * was already ignored when iospan started. */
bool signals_ignore(void);

/* Restores SIGPIPE and SIGXFSZ as they were when iospan started. A child calls this before exec. */
void signals_unignore(void);

#endif
