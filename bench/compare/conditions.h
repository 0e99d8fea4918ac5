/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The conditions under which two results were measured, side by side. */
#ifndef IOSPAN_COMPARE_CONDITIONS_H
#define IOSPAN_COMPARE_CONDITIONS_H

#include <stdio.h>
#include "bench/model/model.h"

/* Returns a JSON object with, for each condition, the values of both results, whether they differ,
 * and whether that makes the comparison unfair. */
struct out *conditions_json(const struct model *a, const struct model *b);
/* Returns the names of the unfair conditions in @both of conditions_json(), as one text; NULL if
 * there are none. The caller frees it. */
char *conditions_unfair(const struct out *both);

#endif
