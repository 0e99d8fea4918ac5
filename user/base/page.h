/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An HTML page in one file: the style is part of it, and plots are SVG elements (plot.h).
 *
 * The caller calls page_begin(), writes the body with the functions below or as HTML of its own,
 * and calls page_end(). Titles and headings are HTML: the caller must not pass names from outside
 * in them. Write errors remain in the stream, for out_finish(). */
#ifndef IOSPAN_PAGE_H
#define IOSPAN_PAGE_H

#include <stdio.h>

/* Writes the page up to its heading, @title. @style is CSS in addition to the common style. */
void page_begin(FILE *f, const char *title, const char *style);
void page_end(FILE *f);

/* Writes @any as text: markup is escaped, control characters (control.h) but for newlines become
 * '?', and bytes that are no UTF-8 become U+FFFD. */
void page_text(FILE *f, const char *any);

/* Writes @heading, and below it as preformatted text what @print writes. */
void page_listing(FILE *f, const char *heading, void (*print)(FILE *f, const void *arg),
		  const void *arg);

#endif
