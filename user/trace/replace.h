/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lets a new trace take the path of an existing file. The existing file is renamed to NAME.old. */
#ifndef IOSPAN_TRACE_REPLACE_H
#define IOSPAN_TRACE_REPLACE_H

#include <stdbool.h>

struct trace_place;

/* Checks if a new trace may take the path of the existing file. Returns 1 if it may: the file is a
 * trace of this user or, with @force, any regular file of this user that is not empty. NAME.old
 * will be replaced, so it must be missing, empty, or fulfil the same condition. Otherwise prints an
 * error and returns -EEXIST. Returns 0 if there is nothing to rename, or the file is of another
 * kind; trace_file_create() then opens or refuses it. */
int replace_check(const struct trace_place *p, bool force);

/* Renames the existing file to NAME.old, if replace_check() permits it. Returns 1; 0 if there is
 * nothing to rename; or -errno after it has printed an error. */
int replace_set_aside(const struct trace_place *p, bool force);

/* Renames NAME.old back to the path of the trace. If another file has this path by now, prints an
 * error. */
void replace_put_back(const struct trace_place *p);

#endif
