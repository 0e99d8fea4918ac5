/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages for filters, such as --device, that match nothing in the traces. */
#ifndef IOSPAN_INPUT_INPUT_FILTER_H
#define IOSPAN_INPUT_INPUT_FILTER_H

#include "tools/input/input.h"

/* Call this after all accesses were read. If the filters matched no access, prints which filter is
 * the cause, and returns -ENODATA. Otherwise returns 0. */
int input_check_matches(const struct input *in);

#endif
