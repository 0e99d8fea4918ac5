/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Colours, messages and descriptions of terminals, for iospan top. */
#ifndef IOSPAN_TOP_TERMINAL_H
#define IOSPAN_TOP_TERMINAL_H

enum colour { COLOUR_LOSS = 1, COLOUR_BUSY, COLOUR_HISTORY };

/* Makes the colours, unless NO_COLOR is set (https://no-color.org). Call it after the ncurses
 * screen was made. */
void colour_begin(void);

/* Characters that are drawn after this call have colour @c. */
void colour_use(enum colour c);
void colour_end(void);

/* From now on, collects the messages that this process writes to stderr. Returns 0 or -errno;
 * prints the error. */
int messages_hold(void);
/* Writes the collected messages to the original stderr. */
void messages_release(void);

/* Returns a description of the terminal @term for the variable TERMINFO. It is for systems without
 * a terminfo database, such as the root of a container. Returns NULL if @term is NULL or
 * unknown. */
const char *terminfo_find(const char *term);

#endif
