/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text cut to a number of columns, for the screen of top. The current locale decides which bytes
 * are characters and which characters take two columns. Tables in reports use table.h, which needs
 * no locale and cuts nothing. */
#ifndef IOSPAN_WIDE_H
#define IOSPAN_WIDE_H

#include <wchar.h>

enum wide_end { WIDE_BEGIN, WIDE_END };

/* Writes @text in at most @columns columns to @to, which has room for @columns + 1 characters.
 * Returns the number of columns used. If @text is too long, its end @stays is kept and '>' or '<'
 * marks the cut. Control characters, combining characters and invalid bytes become '?'. */
int wide_fit(wchar_t *to, const char *text, int columns, enum wide_end stays);

#endif
