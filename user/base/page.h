/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes an HTML page as one file with its style sheet (page.css), script (page.js) and SVG plots
 * (plot.h).
 *
 * Call page_begin(), write the body, call page_end(). Titles and headings are not escaped, so they
 * must not contain names from outside iospan, such as file names. The stream remembers a write
 * error, and out_finish() reports it. */
#ifndef IOSPAN_PAGE_H
#define IOSPAN_PAGE_H

#include <stdio.h>

/* Sets the command line that page_begin() shows in the page. @argv must stay valid. */
void page_set_command(char **argv);

/* Writes the start of the page, including its header: title, command, date, host and kernel. */
void page_begin(FILE *f, const char *title);
void page_end(FILE *f);

/* Writes the text @any with its markup escaped. Control characters (control.h) except newlines
 * become '?', and invalid UTF-8 becomes U+FFFD. */
void page_text(FILE *f, const char *any);

#endif
