/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws a view on the terminal with ncurses. */
#ifndef IOSPAN_TOP_SCREEN_H
#define IOSPAN_TOP_SCREEN_H

#include "user/top/top-view.h"

/* Takes over the terminal and holds back messages to standard error until screen_end(), which
 * exit(3) calls too. -ENOTTY, printed, if there is no usable terminal. */
int screen_begin(void);
void screen_end(void);

/* Returns the next key, without waiting: enum top_key, a character, or 0: none. */
#define SCREEN_GONE (~0U)	 /* the terminal was closed */
#define SCREEN_RESIZED (~0U - 1) /* the size of the terminal changed */
unsigned screen_key(void);

/* Draws the view and sets its page size. */
void screen_draw(struct top_view *v);

/* Clears the screen and shows one line. */
void screen_say(const char *text);

#endif
