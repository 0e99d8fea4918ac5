/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The views of an interval of iospan stat as text. */
#ifndef IOSPAN_SHOW_INTERVAL_VIEWS_H
#define IOSPAN_SHOW_INTERVAL_VIEWS_H

#include "user/result/view.h"
#include "user/show/interval-show.h"

/* Rows that the document does not have are left out. */
extern const struct view interval_views[];

/* Sets the columns of interval_views. Returns the keys of the metrics that they need. */
const char *const *interval_columns(const struct interval_view *v, bool has_histograms);

#endif
