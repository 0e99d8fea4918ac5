/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the conditions of two results, such as page cache and memory limit. */
#ifndef IOSPAN_COMPARE_CONDITIONS_H
#define IOSPAN_COMPARE_CONDITIONS_H

#include <stdio.h>
#include "bench/model/model.h"

/* Returns JSON with one object per condition. The object has the values in both results, whether
 * they differ, and whether this difference makes the comparison unfair. */
struct out *conditions_json(const struct model *a, const struct model *b);
/* Returns the names of the conditions that make the comparison unfair. @both is the result of
 * conditions_json(). The caller frees the text. NULL: there are none. */
char *conditions_unfair(const struct out *both);

#endif
