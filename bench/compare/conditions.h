/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The conditions under which two results were measured, side by side. */
#ifndef IOSPAN_COMPARE_CONDITIONS_H
#define IOSPAN_COMPARE_CONDITIONS_H

#include <stdio.h>
#include "bench/model/model.h"

/* The titles of the conditions that differ and make the comparison unfair, as one text; empty if
 * there are none. The caller frees it. */
char *conditions_unfair(const struct model *a, const struct model *b);
void conditions_text(FILE *f, const struct model *a, const struct model *b);
/* By condition: both values, whether they differ, and whether that is unfair. */
struct out *conditions_json(const struct model *a, const struct model *b);

#endif
