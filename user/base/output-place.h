/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_BASE_OUTPUT_PLACE_H
#define IOSPAN_BASE_OUTPUT_PLACE_H

#include "user/base/output.h"

/* Fills in @o->kind, at, fd, name and was, for o->path. -errno; *@why: a text, or NULL for that
 * of errno. */
int output_find(struct output *o, const char **why);

bool output_same(const struct stat *a, const struct stat *b);
/* Whether the standard output or error leads to the regular file of @st. */
bool output_is_standard(const struct stat *st);

#endif
