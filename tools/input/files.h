/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_INPUT_FILES_H
#define IOSPAN_INPUT_FILES_H

#include "tools/input/input.h"

/* The files of the trace at @path: itself, and those that continue it. -errno, printed. */
int origin_find(struct origin *s, const char *path, const struct origin *others, u32 n);

/* -errno, printed, if @o would replace a file of one of these traces. */
int input_spared(const struct output *o, char *const *paths, u32 n);
int input_spared_one(const struct output *o, const char *path);

#endif
