/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lets a new trace take the path of an existing file, which is renamed to NAME.old. */
#ifndef IOSPAN_TRACE_REPLACE_H
#define IOSPAN_TRACE_REPLACE_H

#include <stdbool.h>

struct trace_place;

/* Decides if a new trace may replace file 0 of @p. Returns 1 if that is a trace of this user; with
 * @force, if it is any regular file of this user that is not empty. NAME.old must then not exist, be
 * empty, or follow the same rule. If @force is missing, or NAME.old is anything else, prints an error
 * and returns -EEXIST. In all other cases returns 0: then trace_file_create() creates the file or
 * fails. */
int replace_check(const struct trace_place *p, bool force);

/* If replace_check() permits it, renames the existing file to NAME.old. Returns 1 if it renamed the
 * file, 0 if there was nothing to rename, or -errno after it has printed an error. */
int replace_set_aside(const struct trace_place *p, bool force);

/* Renames NAME.old to file 0 again. If another file has that name by now, prints an error. */
void replace_put_back(const struct trace_place *p);

#endif
