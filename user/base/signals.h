/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests to end, read instead of suffered. */
#ifndef IOSPAN_SIGNALS_H
#define IOSPAN_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* timeout(1) and others signal us and then our group: that is one request. */
#define SIGNALS_ONCE_NS 100000000ULL

/* From here on SIGINT, SIGTERM and SIGHUP can be read from the descriptor that is returned,
 * and so can @more (0: none); but not those that we were started to ignore, by nohup or as a
 * shell's background job. What was blocked before is in *@before. Who catches them already may
 * call somebody who does, too. -errno: printed. */
int signals_catch(int more, sigset_t *before);

/* Has a request come since the last call? It is the same one within SIGNALS_ONCE_NS of that
 * at *@last_ns, which is set to it. */
bool signals_came(int fd, uint64_t *last_ns);

/* Has one come that nobody has read yet? Not as long as they are not caught. */
bool signals_wait(void);

/* From here on they do what they did before, and those that have come do nothing more; unless
 * somebody else has caught them before: then they are his. */
void signals_release(int fd, const sigset_t *before);

/* Ignores SIGPIPE and SIGXFSZ: a write that fails is an error then. Whether SIGPIPE was ignored. */
bool signals_ignore(void);

/* In a child before exec: these two as our parent had them. */
void signals_unignore(void);

#endif
