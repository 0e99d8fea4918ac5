/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the files of a trace. */
#ifndef IOSPAN_INPUT_FILES_H
#define IOSPAN_INPUT_FILES_H

#include "tools/input/input.h"

/* Sets the files of @t: the file @path and those that continue it (@path.1 and so on). If one of
 * the @n traces in @others has @path already, sets none. */
void input_trace_find(struct input_trace *t, const char *path, const struct input_trace *others,
		      u32 n);

/* Returns -errno and prints the error if writing to @o would replace a file of one of the
 * traces. */
int input_spared(const struct output *o, char *const *paths, u32 n);
int input_spared_one(const struct output *o, const char *path);

#endif
