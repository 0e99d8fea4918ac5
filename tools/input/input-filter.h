/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_INPUT_INPUT_FILTER_H
#define IOSPAN_INPUT_INPUT_FILTER_H

#include "tools/input/input.h"

/* Returns -ENODATA and prints the error if the names in the filter match no access. Call this
 * after all batches are read. */
int input_check_matches(const struct input *in);

#endif
