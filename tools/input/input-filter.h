/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_INPUT_INPUT_FILTER_H
#define IOSPAN_INPUT_INPUT_FILTER_H

#include "tools/input/input.h"

/* After all is read: -ENODATA, printed, if the names of the filter match no access. */
int input_check_matches(const struct input *in);

#endif
