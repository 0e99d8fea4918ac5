/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Neighbours: the cgroups that share the time of a disk, in the JSON document of a report. Views
 * print them. */
#ifndef IOSPAN_REPORT_REPORT_NEIGHBOURS_H
#define IOSPAN_REPORT_REPORT_NEIGHBOURS_H

#include "tools/report/report.h"

/* largest number of rows and columns of the matrix of joint times; a joint time is the time in
 * which two cgroups both used a disk */
#define MATRIX_MAX 16

/* Adds to @doc the table "neighbours", and a sentence about the cgroup with the largest shared
 * time. */
void neighbours_json(struct out *doc, const struct report_run *r);

/* Returns a copy of @views, with the tables of neighbours before the losses and notes. The caller
 * frees it. */
struct view *neighbours_views(const struct view *views);

/* The views of --csv. They print a row for each cgroup on a disk. After these rows, they print a
 * row for each pair of cgroups in the matrix of joint times. */
extern const struct view neighbours_csv[];

#endif
