/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws a struct top_view on the terminal with ncurses. */
#ifndef IOSPAN_TOP_SCREEN_H
#define IOSPAN_TOP_SCREEN_H

#include "user/top/top-view.h"

/* Switches the terminal to the full screen. Messages to stderr are kept back until screen_end().
 * exit(3) calls screen_end(), too. Returns 0, or -ENOTTY after it has printed an error. */
int screen_begin(void);
void screen_end(void);

/* Returns the next pressed key: a character, or an enum top_key. Returns 0 without waiting if no
 * key was pressed. Returns SCREEN_RESIZED if the size of the terminal has changed, or if the key
 * only requires that the screen is drawn again. Returns SCREEN_GONE if the terminal was closed. */
#define SCREEN_GONE (~0U)
#define SCREEN_RESIZED (~0U - 1)
unsigned screen_key(void);

void screen_draw(struct top_view *v);

void screen_say(const char *text);

#endif
