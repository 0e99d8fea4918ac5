/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Percentiles that are response times which occurred, in memory that does not grow with
 * their number: the histogram says in which bucket each lies, and a second look at all
 * accesses counts the values within that bucket; a wide bucket takes a third look. */
#ifndef IOSPAN_EXACT_H
#define IOSPAN_EXACT_H

#include "tools/report/counts.h"

struct exact;

/* Of a set whose histogram is complete. The smallest value that is no less than the share
 * q of all: of n, the one of rank ceil(q * n). */
struct exact *exact_new(const struct sum *s);
void exact_free(struct exact *e);

/* A response time of the set, on each look. */
void exact_take(struct exact *e, u64 ns);

/* After a look: true when another one is needed. */
bool exact_narrow(struct exact *e);

/* By enum exact_percentile; NULL as @e is: the histogram has to do. */
const double *exact_result(const struct exact *e);

#endif
