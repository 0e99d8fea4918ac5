/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lets a new trace take the path of an existing file, which is renamed to NAME.old. */
#ifndef IOSPAN_TRACE_REPLACE_H
#define IOSPAN_TRACE_REPLACE_H

#include <stdbool.h>

struct trace_place;

/* Decides if a new trace may replace file 0. Returns 1 if that is a trace of this user or, with
 * @force, a regular file of this user that is not empty. NAME.old must be missing, empty, or follow
 * the same rule. Otherwise prints an error and returns -EEXIST. Returns 0 if trace_file_create() is
 * to decide. */
int replace_check(const struct trace_place *p, bool force);

/* Renames the existing file to NAME.old, if replace_check() permits it. Returns 1; 0 if there is
 * nothing to rename; or -errno after it has printed an error. */
int replace_set_aside(const struct trace_place *p, bool force);

/* Renames NAME.old to file 0 again. If another file has this name by now, prints an error. */
void replace_put_back(const struct trace_place *p);

#endif
