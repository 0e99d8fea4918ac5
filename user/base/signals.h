/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Catches the signals that ask iospan to end: SIGINT, SIGTERM and SIGHUP. They are read from a
 * signalfd. */
#ifndef IOSPAN_SIGNALS_H
#define IOSPAN_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* timeout(1) and other programs signal a process and then its process group, so iospan gets the
 * signal twice. Signals within this time of each other count as one. */
#define SIGNALS_ONCE_NS 100000000ULL

/* Blocks SIGINT, SIGTERM, SIGHUP and @more (0: no other signal), and returns a signalfd that reads
 * them. Signals that iospan already ignores stay ignored, as under nohup or in a background job of
 * a shell. Calls may be nested: *@before is the signal mask before the outermost call. Returns
 * -errno after it has printed an error. */
int signals_catch(int more, sigset_t *before);

/* Reads the signalfd @fd. Returns true if a new signal has arrived. A signal within SIGNALS_ONCE_NS
 * after the last one, at *@last_ns, is not new. Updates *@last_ns. */
bool signals_came(int fd, uint64_t *last_ns);

/* Returns true if one of the caught signals is pending and was not read yet. */
bool signals_pending(void);

/* Undoes one call of signals_catch() and closes @fd. If it was the outermost call, discards pending
 * signals and restores the signal mask @before. */
void signals_release(int fd, const sigset_t *before);

/* Ignores SIGPIPE and SIGXFSZ, so that a write fails with an error instead of ending iospan.
 * Returns true if the parent process already made iospan ignore SIGPIPE. */
bool signals_ignore(void);

/* Restores SIGPIPE and SIGXFSZ as the parent process of iospan had set them. A child calls this
 * before exec. */
void signals_unignore(void);

#endif
