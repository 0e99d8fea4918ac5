/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives each name of a disk, cgroup, process or file a number that is valid for all traces. A
 * stream is the accesses of a trace that have the same layer, operation, source (kind of call),
 * disk, cgroup, process and file. */
#ifndef IOSPAN_INPUT_INPUT_NAMES_H
#define IOSPAN_INPUT_INPUT_NAMES_H

#include "tools/input/input.h"

/* Adds to @in the names and streams that the reader of @t found since the last call. */
void input_add_names(struct input *in, struct input_trace *t);

#endif
