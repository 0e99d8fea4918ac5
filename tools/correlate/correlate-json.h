/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_CORRELATE_CORRELATE_JSON_H
#define IOSPAN_CORRELATE_CORRELATE_JSON_H

#include "tools/correlate/correlate.h"

/* The caller owns the result. */
struct out *correlate_json(const struct correlation_study *c);

#endif
