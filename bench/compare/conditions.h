/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the conditions of two results, such as page cache and memory limit. */
#ifndef IOSPAN_COMPARE_CONDITIONS_H
#define IOSPAN_COMPARE_CONDITIONS_H

#include <stdio.h>
#include "bench/model/model.h"

/* Returns for each condition both values, whether they differ, and whether that is unfair. */
struct out *conditions_json(const struct model *a, const struct model *b);
/* Returns the names of the unfair conditions in @both, which the caller frees; NULL: none. */
char *conditions_unfair(const struct out *both);

#endif
