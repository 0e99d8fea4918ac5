/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef IOSPAN_TOP_COLOUR_H
#define IOSPAN_TOP_COLOUR_H

enum colour { COLOUR_LOSS = 1, COLOUR_BUSY, COLOUR_HISTORY };

/* The screen must exist. No colours if NO_COLOR is set (https://no-color.org). */
void colour_begin(void);

/* The characters that are drawn next have the colour, or again no colour. */
void colour_use(enum colour c);
void colour_end(void);

#endif
