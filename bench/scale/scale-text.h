/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SCALE_SCALE_TEXT_H
#define IOSPAN_SCALE_SCALE_TEXT_H

#include "bench/scale/scale-result.h"

void scale_text(FILE *f, const struct scale_result *r);
/* Writes the budget to @buf, such as " of 15m", or "" if there is none. Returns @buf. */
const char *scale_budget_text(char buf[BUDGET_TEXT], u64 budget_ns);

#endif
