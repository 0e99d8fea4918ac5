/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CSV lines of an input (user/base/csv.h), with faults reported as all importers do. */
#ifndef IOSPAN_IMPORT_IMPORT_CSV_H
#define IOSPAN_IMPORT_IMPORT_CSV_H

#include "tools/import/import.h"
#include "user/base/csv.h"

/* csv_take() and csv_either() on the current line. Faults go to import_bad() and import_refuse(),
 * unknown columns give a warning. 1: a row with data, 0: none, or -EINVAL. */
int import_csv_take(struct import *im, struct csv *csv, const struct csv_format *format, char *line,
		    void *row);
int import_csv_either(struct import *im, struct csv *csv, const struct csv_format *format, int a,
		      int b);

#endif
