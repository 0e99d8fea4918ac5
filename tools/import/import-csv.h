/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user/base/csv.h for the line() of an importer. */
#ifndef IOSPAN_IMPORT_IMPORT_CSV_H
#define IOSPAN_IMPORT_IMPORT_CSV_H

#include "tools/import/import.h"
#include "user/base/csv.h"

/* csv_take() and csv_either(), which report faults by import_bad() and import_refuse(). Return 1
 * for a row, 0 for none, or -EINVAL. Unknown columns give a warning. */
int import_csv_take(struct import *im, struct csv *csv, const struct csv_format *format, char *line,
		    void *row);
int import_csv_either(struct import *im, struct csv *csv, const struct csv_format *format, int a,
		      int b);

#endif
