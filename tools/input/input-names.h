/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_INPUT_INPUT_NAMES_H
#define IOSPAN_INPUT_INPUT_NAMES_H

#include "tools/input/input.h"

/* Takes the names and streams of @s that are new. */
void input_name(struct input *in, struct origin *s);

#endif
