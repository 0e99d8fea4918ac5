/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cuts text to a number of screen columns, for iospan top. The current locale decides which bytes
 * form a character and which characters take two columns. Reports use table.h, which needs no
 * locale and cuts nothing. */
#ifndef IOSPAN_WIDE_H
#define IOSPAN_WIDE_H

#include <wchar.h>

enum wide_end { WIDE_BEGIN, WIDE_END, WIDE_BOTH };

/* Writes @text to @to in at most @columns columns. @to has room for @columns + 1 characters. If
 * @text is too long, keeps its start, its end or both as @stays says, and marks the cut by '>', '<'
 * or '~'.
 * Returns the number of columns used. Control characters, combining characters and invalid bytes
 * become '?'. */
int wide_fit(wchar_t *to, const char *text, int columns, enum wide_end stays);

/* Returns the number of columns that the whole of @text takes. */
int wide_columns(const char *text);

#endif
