/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lets a new trace take the path of an existing file. The existing file is renamed to NAME.old. */
#ifndef IOSPAN_TRACE_REPLACE_H
#define IOSPAN_TRACE_REPLACE_H

#include <stdbool.h>

struct trace_place;

/* Checks if the file at the path of a new trace may be renamed to NAME.old. The file must be a
 * trace that is not empty and belongs to this user. With @force, any regular file of this user may
 * be renamed.
 *
 * The rename replaces an existing NAME.old. NAME.old may be any file that may be renamed, or an
 * empty file of this user.
 *
 * Returns 1 if the file may be renamed, or -EEXIST after it has printed an error. Returns 0 if
 * there is nothing to rename: there is no file, it is empty, or it is not a regular file of this
 * user. trace_file_create() then opens or refuses the file. */
int replace_check(const struct trace_place *p, bool force);

/* Renames the existing file to NAME.old, if replace_check() permits it. Returns 1 if it was
 * renamed, 0 if there is nothing to rename, or -errno after it has printed an error. */
int replace_set_aside(const struct trace_place *p, bool force);

/* Renames NAME.old back to the path of the trace. Prints an error if the rename fails, for example
 * because a file with this path exists again. */
void replace_put_back(const struct trace_place *p);

#endif
