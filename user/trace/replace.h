/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A new trace replaces an existing file, which is kept as NAME.old. */
#ifndef IOSPAN_TRACE_REPLACE_H
#define IOSPAN_TRACE_REPLACE_H

#include <stdbool.h>

struct trace_place;

/* Returns 1 if file 0 of @p is a trace of this user, or with @force any regular file of this user that is
 * not empty. Returns 0 if there is nothing to replace, or nothing that this user may replace:
 * trace_file_create() decides then. -EEXIST, printed, if it takes @force. */
int replace_check(const struct trace_place *p, bool force);

/* Renames file 0 to NAME.old if replace_check() is 1. Returns 1 if it did, 0, or -errno, printed. */
int replace_set_aside(const struct trace_place *p, bool force);

/* Undoes that. */
void replace_put_back(const struct trace_place *p);

#endif
