/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The views of an interval of iospan stat as text. */
#ifndef IOSPAN_SHOW_INTERVAL_VIEWS_H
#define IOSPAN_SHOW_INTERVAL_VIEWS_H

#include "user/result/view.h"
#include "user/show/interval-show.h"

#define INTERVAL_COLUMNS 40

struct interval_views {
	const char *keys[INTERVAL_COLUMNS]; /* of the metrics that the views need; ends with NULL */
	struct view_column columns[INTERVAL_COLUMNS];
	struct view row[8], views[24];
};

/* Sets @to to the views of @v. The caller must not copy or move @to. */
void interval_views(struct interval_views *to, const struct interval_view *v, bool has_histograms);

#endif
