/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_INPUT_INPUT_FILTER_H
#define IOSPAN_INPUT_INPUT_FILTER_H

#include "tools/input/input.h"

/* After all batches: if filters matched no access, prints which is wrong and returns -ENODATA. */
int input_check_matches(const struct input *in);

#endif
