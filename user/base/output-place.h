/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the file at the path of an output, and decides whether the command may write there. */
#ifndef IOSPAN_BASE_OUTPUT_PLACE_H
#define IOSPAN_BASE_OUTPUT_PLACE_H

#include "user/base/output.h"

/* Sets @o->kind, at, fd, name and was for @o->path. Returns -errno, with the reason in *@why, or
 * NULL there if the text of errno is the reason. Prints nothing. Writes nothing to the file. */
int output_find(struct output *o, const char **why);

/* Returns whether both are the same inode. */
bool output_same(const struct stat *a, const struct stat *b);

/* Returns whether stdout or stderr leads to the regular file @st. */
bool output_is_standard(const struct stat *st);

#endif
