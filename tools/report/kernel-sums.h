/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_REPORT_KERNEL_SUMS_H
#define IOSPAN_REPORT_KERNEL_SUMS_H

#include "tools/report/evidence.h"

/* That against the sums of the accesses. */
void kernel_text(FILE *f, const struct out *sums, const struct measurement *m);
struct out *kernel_json(const struct out *sums, const struct measurement *m,
			const struct by *by); /* its groups; NULL: they are not known */

#endif
