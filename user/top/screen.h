/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws a struct top_view on the terminal with ncurses. */
#ifndef IOSPAN_TOP_SCREEN_H
#define IOSPAN_TOP_SCREEN_H

#include "user/top/top-view.h"

/* Switches the terminal to full screen, and stores messages to stderr until screen_end() prints
 * them. exit(3) calls screen_end() too. Returns 0; or -ENOTTY after it has printed an error, if
 * there is no usable terminal. */
int screen_begin(void);
void screen_end(void);

/* Returns the next key that was pressed: a value of enum top_key, SCREEN_GONE, SCREEN_RESIZED, or a
 * character. Returns 0 if there is none; does not wait. */
#define SCREEN_GONE (~0U)	 /* the terminal was closed */
#define SCREEN_RESIZED (~0U - 1) /* the size of the terminal has changed */
unsigned screen_key(void);

/* Draws @v, after setting the number of rows on its page from the terminal's size. */
void screen_draw(struct top_view *v);

/* Clears the screen and shows one line. */
void screen_say(const char *text);

#endif
