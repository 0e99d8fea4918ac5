/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slices of time of a report as JSON. */
#ifndef IOSPAN_REPORT_SLICES_H
#define IOSPAN_REPORT_SLICES_H

#include "tools/report/report.h"

struct out *slices_json(const struct report_run *r);

#endif
