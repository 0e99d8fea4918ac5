/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the sums (accesses, bytes, T) that the BPF programs made during the recording with the
 * sums of the recorded accesses. The parameter @sums is the part of the trace file with the sums of
 * the BPF programs, as evidence_sums() returns it. */
#ifndef IOSPAN_REPORT_KERNEL_SUMS_H
#define IOSPAN_REPORT_KERNEL_SUMS_H

#include "tools/report/evidence.h"

struct out *kernel_json(const struct out *sums, const struct measurement *m,
			const struct by *by); /* @by is the table of cgroups, or NULL */

/* Sets @missing to the fraction of T, the time with an access in flight, that the trace lacks at
 * each layer; 0: none. */
void kernel_missing(const struct out *sums, const struct measurement *m, double missing[LAYERS]);

#endif
