/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_TOP_COLOUR_H
#define IOSPAN_TOP_COLOUR_H

enum colour { COLOUR_LOSS = 1, COLOUR_BUSY, COLOUR_HISTORY };

/* Makes the colours, unless NO_COLOR is set (https://no-color.org). The screen must exist
 * already. */
void colour_begin(void);

/* Draws the following characters in colour @c. */
void colour_use(enum colour c);
void colour_end(void);

#endif
