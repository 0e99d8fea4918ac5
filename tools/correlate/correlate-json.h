/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_CORRELATE_CORRELATE_JSON_H
#define IOSPAN_CORRELATE_CORRELATE_JSON_H

#include "tools/correlate/correlate.h"

/* Returns the results of a study as a new JSON object, which the caller frees. */
struct out *correlate_json(const struct correlation_study *c);

#endif
