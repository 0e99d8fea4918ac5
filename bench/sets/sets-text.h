/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SETS_SETS_TEXT_H
#define IOSPAN_SETS_SETS_TEXT_H

#include "bench/sets/sets.h"

void sets_text(FILE *f, const struct sets *s);
/* Prints the title of the set @e with its amount of data and request size, without a newline. */
void sets_heading(FILE *f, const struct sets *s, const struct sets_experiment *e);

#endif
