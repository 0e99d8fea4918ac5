/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_SHOW_NOTES_H
#define IOSPAN_SHOW_NOTES_H

#include "user/show/show.h"

/* A layer has a column when somebody watched it. At the app layer that takes a
 * program with the preloaded library, or requests that need none. */
bool report_sees(const struct report *r, int layer);

/* How device I/O was told apart: "io v2", "blkio v1" or "task". */
const char *report_charge(const struct report *r);
const char *report_backend(const struct report *r, int layer);

/* What the reader must know to read the numbers right: calls @note with each
 * sentence. */
void report_notes(const struct report *r, void (*note)(void *arg, const char *text), void *arg);

/* A disk has rows when it had accesses, or has some in flight. */
bool disk_is_used(const struct disk_sum *d);

/* Bytes or T of one layer against another; NaN when one is not there. */
double report_amplification(const struct report *r, int lower, int upper);
/* T(a n b) = T(a) + T(b) - T(a u b), never below 0. */
u64 overlap_ns(const struct sum *a, const struct sum *b, u64 joint_ns);

#endif
