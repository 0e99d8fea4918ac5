/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text as a terminal shows it: in columns, of which a character takes one or two. */
#ifndef IOSPAN_WIDE_H
#define IOSPAN_WIDE_H

#include <wchar.h>

enum wide_end { WIDE_BEGIN, WIDE_END };

/* @text in at most @columns columns; returns how many it takes. Of what is too long, that end
 * stays, and a mark, '<' or '>', is where the rest was. What would move the cursor, join
 * another character or is none in this locale becomes a '?'. @to has room for @columns and the
 * end. */
int wide_fit(wchar_t *to, const char *text, int columns, enum wide_end stays);

#endif
