/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set is an experiment with cases. Here, each case is a shell command. A run is one execution of
 * the command. */
#ifndef IOSPAN_SETS_EXEC_H
#define IOSPAN_SETS_EXEC_H

#include "bench/sets/sets.h"

/* Makes one set with a case for each command in the file @path, one per line. Returns 0 or -errno;
 * prints the error. */
int sets_read_commands(struct sets *s, const char *path);
/* Runs and measures the command of case @c, and sets @run to the result. Returns 0 or -errno;
 * prints the error, except -EINTR. */
int sets_run_command(const struct sets_case *c, struct sets_run *run);

#endif
