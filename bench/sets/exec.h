/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SETS_EXEC_H
#define IOSPAN_SETS_EXEC_H

#include "bench/sets/sets.h"

/* A set of the command lines of a file. -errno, printed. */
int sets_read_commands(struct sets *s, const char *path);
int sets_run_command(const struct sets_case *c, struct sets_run *run);

#endif
