/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the file of an output, and decides if the command may write to it. */
#ifndef IOSPAN_BASE_OUTPUT_PLACE_H
#define IOSPAN_BASE_OUTPUT_PLACE_H

#include "user/base/output.h"

/* Finds the file at o->path, and sets the fields .kind, .at, .fd, .name and .was of @o. Returns 0
 * or -errno. After an error, sets *@why to a text with the reason, or to NULL if strerror() gives
 * the reason. Prints nothing and does not write to the file. */
int output_find(struct output *o, const char **why);

/* Opens the directory that contains @path. Returns its descriptor or -errno. */
int output_folder(const char *path);

/* Returns true if @a and @b are the same inode. */
bool output_same(const struct stat *a, const struct stat *b);

/* Returns true if stdout or stderr is redirected to the regular file @st. */
bool output_is_standard(const struct stat *st);

#endif
