/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes an HTML page as one file: the style sheet (page.css) and the script (page.js) are in the
 * page, and plots are SVG elements (plot.h).
 *
 * The caller calls page_begin(), writes the body with the functions below or as HTML of its own,
 * and calls page_end(). Titles and headings are written without escaping, so they must not contain
 * names from outside. A write error stays in the stream, so that out_finish() reports it. */
#ifndef IOSPAN_PAGE_H
#define IOSPAN_PAGE_H

#include <stdio.h>

/* Sets the command line that page_begin() shows in the page. main() calls it. @argv must stay
 * valid. */
void page_set_command(char **argv);

/* Writes the start of the page, up to and including its header: the title, and the command that
 * writes the page, with the date, host and kernel of this run. */
void page_begin(FILE *f, const char *title);
void page_end(FILE *f);

/* Writes @any as text. Markup is escaped. Control characters (control.h) except newlines become
 * '?', and bytes that are not valid UTF-8 become U+FFFD. */
void page_text(FILE *f, const char *any);

#endif
