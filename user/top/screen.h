/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws a struct top_view on the terminal with ncurses. */
#ifndef IOSPAN_TOP_SCREEN_H
#define IOSPAN_TOP_SCREEN_H

#include "user/top/top-view.h"

/* Switches the terminal to the full screen. Messages to stderr wait until screen_end(), which
 * exit(3) calls too. Returns 0; or -ENOTTY after it has printed an error. */
int screen_begin(void);
void screen_end(void);

/* Returns the next key that was pressed: an enum top_key, SCREEN_GONE, SCREEN_RESIZED or a
 * character. Returns 0 if there is none; does not wait. */
#define SCREEN_GONE (~0U)
#define SCREEN_RESIZED (~0U - 1)
unsigned screen_key(void);

void screen_draw(struct top_view *v);

void screen_say(const char *text);

#endif
