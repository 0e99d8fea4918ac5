/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a command in the cgroups of a session: starts it, passes signals on to it, and waits for its
 * end. */
#ifndef IOSPAN_COMMAND_H
#define IOSPAN_COMMAND_H

#include "user/session/session.h"

/* Forks a child that enters the session's cgroups, waits for command_go(), and then executes @argv.
 * If @app_fd >= 0, the child preloads @library, which writes the app layer's counters to @app_fd. A
 * session may run several commands in turn. Returns 0 or -errno; prints the error. */
int command_spawn(struct session *s, char **argv, int app_fd, const char *library);

/* Makes the child of command_spawn() execute the command; @name is for messages. Returns 0 when the
 * command runs. If the command cannot be executed, returns 126 or 127, as a shell does. If the
 * child failed before exec, returns -errno. Prints errors. */
int command_go(struct session *s, const char *name);

/* Waits until the command exits, and calls @poll(@arg) every @poll_ns. Returns the exit status of
 * the command or, if signal n ended the command, 128 + n.
 *
 * SIGINT, SIGTERM and SIGHUP to iospan also reach the command, which then has 2 s to exit. A second
 * signal ends the wait at once. If the command still runs when the wait ends, sets *@runs_on and
 * returns 128 + the number of the first signal. */
int command_wait(struct session *s, void (*poll)(void *), void *arg, u64 poll_ns, bool *runs_on);

#endif
