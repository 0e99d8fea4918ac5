/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the files of a trace. */
#ifndef IOSPAN_INPUT_FILES_H
#define IOSPAN_INPUT_FILES_H

#include "tools/input/input.h"

/* Sets the files of the trace at @path: the file itself and those that continue it. Finds none if
 * @path is already a file of one of the @n traces @others. */
void input_trace_find(struct input_trace *t, const char *path, const struct input_trace *others,
		      u32 n);

/* Returns -errno if @o would replace a file of one of the traces; prints the error. */
int input_spared(const struct output *o, char *const *paths, u32 n);
int input_spared_one(const struct output *o, const char *path);

#endif
