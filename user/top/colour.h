/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_TOP_COLOUR_H
#define IOSPAN_TOP_COLOUR_H

enum colour { COLOUR_LOSS = 1, COLOUR_BUSY, COLOUR_HISTORY };

/* Makes the colours, unless NO_COLOR is set (https://no-color.org). Call it after the ncurses
 * screen was made. */
void colour_begin(void);

/* Characters that are drawn after this call have colour @c. */
void colour_use(enum colour c);
void colour_end(void);

#endif
