/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a trace. A split trace has the files PATH, PATH.1, PATH.2 and so on. */
#ifndef IOSPAN_INPUT_FILES_H
#define IOSPAN_INPUT_FILES_H

#include "tools/input/input.h"

/* Sets t->files to the file @path and the files that continue its trace: @path.1 and so on. If one
 * of the @n traces @others already has @path, leaves t->files empty. */
void input_trace_find(struct input_trace *t, const char *path, const struct input_trace *others,
		      u32 n);

/* input_spared() checks that output @o overwrites no file of the @n traces @paths, and
 * input_spared_one() checks one trace. Both return 0 or -errno, and print the error. */
int input_spared(const struct output *o, char *const *paths, u32 n);
int input_spared_one(const struct output *o, const char *path);

#endif
