/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SETS_SETS_SUMMARY_H
#define IOSPAN_SETS_SETS_SUMMARY_H

#include "bench/sets/sets.h"

/* Returns the conclusion from all sets: the metrics that follow the execution time in every set, and
 * the sets in which the others mislead (He, Sun, Yin 2013, section IV.C.5). The caller frees the
 * text. */
char *sets_summary(const struct sets *s);
/* With .each_way, returns for each size of the holes in set 4 the times of all ways to read, as a
 * JSON array. */
struct out *sets_sieving_json(const struct sets *s);

#endif
