/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A new trace replaces an existing file PATH, which is kept as PATH.old. */
#ifndef IOSPAN_TRACE_REPLACE_H
#define IOSPAN_TRACE_REPLACE_H

#include <stdbool.h>

/* Returns 1 if @path is a trace of this user, or with @force any regular file of this user that is
 * not empty. Returns 0 if there is nothing to replace, or nothing that this user may replace:
 * trace_file_create() decides then. -EEXIST, printed, if it takes @force. */
int replace_check(const char *path, bool force);

/* Renames @path to PATH.old if replace_check() is 1. Returns 1 if it did, 0, or -errno, printed. */
int replace_set_aside(const char *path, bool force);

/* Undoes that. */
void replace_put_back(const char *path);

#endif
