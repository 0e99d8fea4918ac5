/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts about a view that all printers of views need. */
#ifndef IOSPAN_RESULT_VIEW_ROWS_H
#define IOSPAN_RESULT_VIEW_ROWS_H

#include "user/result/place.h"
#include "user/result/view.h"

bool view_is_left_out(const struct view *v, const struct place *at);

/* Returns true if text and HTML have the view. */
bool view_is_shown(const struct view *v);

/* Returns the heading, or NULL. The caller frees it. */
char *view_heading(const struct view *v, const struct place *at);

/* Returns the member as text. The caller frees it. */
char *view_line(const struct place *at);

/* Calls @fn for each row of a table. */
void view_each_row(const struct view *v, const struct place *from,
		   void (*fn)(void *arg, const struct place *at), void *arg);

#endif
