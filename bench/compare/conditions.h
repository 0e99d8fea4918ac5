/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The conditions under which two results were measured, side by side. */
#ifndef IOSPAN_COMPARE_CONDITIONS_H
#define IOSPAN_COMPARE_CONDITIONS_H

#include <stdio.h>
#include "bench/model/model.h"

/* Returns the titles of the conditions that differ and make the comparison unfair, as one text; ""
 * if there are none. The caller frees it. */
char *conditions_unfair(const struct model *a, const struct model *b);
void conditions_text(FILE *f, const struct model *a, const struct model *b);
/* Returns a JSON object with, for each condition, the values of both results, whether they differ,
 * and whether that makes the comparison unfair. */
struct out *conditions_json(const struct model *a, const struct model *b);

#endif
