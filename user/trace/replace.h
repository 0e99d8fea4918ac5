/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lets a new trace take the path of an existing file, which is renamed to NAME.old. */
#ifndef IOSPAN_TRACE_REPLACE_H
#define IOSPAN_TRACE_REPLACE_H

#include <stdbool.h>

struct trace_place;

/* Decides if a new trace may replace the existing file at its path. Returns 1 if that file is a
 * trace of this user. With @force, any regular file of this user that is not empty will do. If it
 * is no trace and @force is false, prints an error and returns -EEXIST. Otherwise returns 0, and
 * trace_file_create() decides. */
int replace_check(const struct trace_place *p, bool force);

/* If replace_check() permits it, renames the existing file to NAME.old. Returns 1 if it renamed the
 * file, 0 if there was nothing to rename, or -errno after it has printed an error. */
int replace_set_aside(const struct trace_place *p, bool force);

/* Undoes replace_set_aside(): renames NAME.old to its former name, because no new trace was
 * written. */
void replace_put_back(const struct trace_place *p);

#endif
