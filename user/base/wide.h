/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cuts text to a number of screen columns, for iospan top. The locale decides how many columns a
 * character takes. Reports use table.h instead. */
#ifndef IOSPAN_WIDE_H
#define IOSPAN_WIDE_H

#include <wchar.h>

enum wide_end { WIDE_BEGIN, WIDE_END, WIDE_BOTH };

/* Writes @text to @to, in at most @columns screen columns. @to has room for @columns + 1
 * characters. If @text is longer, keeps its start, its end or both (@stays), and marks the cut by
 * '>', '<' or '~'. Returns the number of columns used. Control, combining and invalid characters
 * become '?'. */
int wide_fit(wchar_t *to, const char *text, int columns, enum wide_end stays);

/* Returns the number of columns that the whole of @text takes. */
int wide_columns(const char *text);

#endif
