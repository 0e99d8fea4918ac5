/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A view on the terminal, by ncurses. */
#ifndef IOSPAN_TOP_SCREEN_H
#define IOSPAN_TOP_SCREEN_H

#include "user/top/view.h"

/* -ENOTTY, printed: there is no terminal that can show it. From here on until screen_end(), which
 * exit(3) calls too, messages wait for the terminal to be as it was. */
int screen_begin(void);
void screen_end(void);

/* The next key that was pressed, a change of size included: 0: none; SCREEN_GONE: nor will
 * there be, the terminal is gone. */
#define SCREEN_GONE (~0U)
#define SCREEN_RESIZED (~0U - 1)
unsigned screen_key(void);

/* Sets how many rows there is room for. @all: from the start on. */
void screen_draw(struct top_view *v, const struct measurement *all);

/* A line of text and nothing else. */
void screen_say(const char *text);

#endif
