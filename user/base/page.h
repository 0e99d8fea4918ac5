/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An HTML page that needs nothing else: its style is in it, plots are SVG (plot.h). */
#ifndef IOSPAN_PAGE_H
#define IOSPAN_PAGE_H

#include <stdio.h>

/* All up to and with the page's heading, @title. What else is to be in the style, or "". */
void page_begin(FILE *f, const char *title, const char *style);
void page_end(FILE *f);

void page_text(FILE *f, const char *text); /* nothing in it is markup */

/* Some text under a heading, as it stands; @print writes it. */
void page_listing(FILE *f, const char *heading, void (*print)(FILE *f, const void *arg),
		  const void *arg);

#endif
