/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the CSV lines of an input file by the parser in user/base/csv.h. Reports a faulty line or
 * file in the same way as importers of other formats. */
#ifndef IOSPAN_IMPORT_IMPORT_CSV_H
#define IOSPAN_IMPORT_IMPORT_CSV_H

#include "tools/import/import.h"
#include "user/base/csv.h"

/* import_csv_take() and import_csv_either() call csv_take() and csv_either() (user/base/csv.h) for
 * the current line of an input, and report faults by import_bad() and import_refuse(). They return
 * 1 if the line is a row with data, 0 if it is not (such as the header), or -EINVAL. */
int import_csv_take(struct import *im, struct csv *csv, const struct csv_format *format, char *line,
		    void *row);
int import_csv_either(struct import *im, struct csv *csv, const struct csv_format *format, int a,
		      int b);

#endif
