/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests to end: SIGINT, SIGTERM and SIGHUP, read from a descriptor. */
#ifndef IOSPAN_SIGNALS_H
#define IOSPAN_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* timeout(1) and others signal a process and then its group. Signals that follow each other within
 * this time are one request. */
#define SIGNALS_ONCE_NS 100000000ULL

/* Blocks SIGINT, SIGTERM, SIGHUP and @more (0: none), and returns a descriptor from which they are
 * read. Signals that are ignored, as by nohup or in a shell's background job, stay ignored. Sets
 * *@before to the signal mask before the first call. Calls may be nested. Returns -errno; prints
 * the error. */
int signals_catch(int more, sigset_t *before);

/* Reads @fd. Returns whether a request has arrived since the last call. Signals within
 * SIGNALS_ONCE_NS of *@last_ns, the time of the last one, are no new request. Updates *@last_ns. */
bool signals_came(int fd, uint64_t *last_ns);

/* Returns whether a signal is pending that nobody has read. False unless they are caught. */
bool signals_pending(void);

/* Ends signals_catch() and closes @fd. The last of nested calls discards pending signals and
 * restores the mask @before. */
void signals_release(int fd, const sigset_t *before);

/* Ignores SIGPIPE and SIGXFSZ, so that the write fails with an error. Returns whether SIGPIPE was
 * ignored before. */
bool signals_ignore(void);

/* Restores both as the parent process had them. For a child, before exec. */
void signals_unignore(void);

#endif
