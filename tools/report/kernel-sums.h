/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the sums that the kernel programs made during the recording with those of the
 * accesses. */
#ifndef IOSPAN_REPORT_KERNEL_SUMS_H
#define IOSPAN_REPORT_KERNEL_SUMS_H

#include "tools/report/evidence.h"

/* @sums: from evidence_sums(). */
/* Prints the sums that differ from @m; with --verbose, all. */
void kernel_text(FILE *f, const struct out *sums, const struct measurement *m);
struct out *kernel_json(const struct out *sums, const struct measurement *m,
			const struct by *by); /* the table of cgroups, or NULL */

#endif
