/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that let the line() of an importer use user/base/csv.h. */
#ifndef IOSPAN_IMPORT_IMPORT_CSV_H
#define IOSPAN_IMPORT_IMPORT_CSV_H

#include "tools/import/import.h"
#include "user/base/csv.h"

/* import_csv_take() calls csv_take(), import_csv_either() calls csv_either(). They report faults
 * by import_bad() and import_refuse(), and warn about unknown columns. They return 1 for a row,
 * 0 for no row, or -EINVAL. */
int import_csv_take(struct import *im, struct csv *csv, const struct csv_format *format, char *line,
		    void *row);
int import_csv_either(struct import *im, struct csv *csv, const struct csv_format *format, int a,
		      int b);

#endif
