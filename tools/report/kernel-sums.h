/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the sums (accesses, bytes, T) that the BPF programs made during the recording with the
 * sums of the recorded accesses. T is the time with at least one access in flight. evidence_sums()
 * returns the sums of the BPF programs. */
#ifndef IOSPAN_REPORT_KERNEL_SUMS_H
#define IOSPAN_REPORT_KERNEL_SUMS_H

#include "tools/report/evidence.h"

/* Returns an object with the comparison for each layer and disk. If @by, the table of cgroups, is
 * not NULL, also compares each cgroup. The caller owns the object. */
struct out *kernel_json(const struct out *sums, const struct measurement *m, const struct by *by);

/* Sets @missing[i] to the fraction of T of layer i that the trace lacks. Example: 0.25 if T of the
 * BPF programs is 4 s, and T of the accesses in the trace is 3 s. 0: nothing is missing, or the
 * fraction is unknown. */
void kernel_missing(const struct out *sums, const struct measurement *m, double missing[LAYERS]);

#endif
