/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The line about the neighbours of the selected row: the cgroups (or processes) that use a disk at
 * the same time. */
#ifndef IOSPAN_TOP_TOP_NEIGHBOURS_H
#define IOSPAN_TOP_TOP_NEIGHBOURS_H

#include <stdio.h>

#include "user/top/top-view.h"

/* Selects the row above (@step -1) or below (@step 1) the selected row. If no row on the page is
 * selected, selects the first row of the page. Does nothing if the rows are disks. */
void top_select(struct top_view *v, int step);

void top_select_none(struct top_view *v);

bool top_is_selected(const struct top_view *v, const struct top_row *r);

/* Prints the line about the neighbours of the selected row. Prints nothing if no row is
 * selected. */
void top_neighbours(FILE *f, const struct top_view *v);

#endif
