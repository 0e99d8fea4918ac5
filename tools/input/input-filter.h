/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_INPUT_INPUT_FILTER_H
#define IOSPAN_INPUT_INPUT_FILTER_H

#include "tools/input/input.h"

/* If the user's filters matched no access, prints an error that says which filter is wrong, and
 * returns -ENODATA. The caller calls this after it has read all batches. */
int input_check_matches(const struct input *in);

#endif
