/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One plot, drawn by gnuplot as SVG. */
#ifndef IOSPAN_PLOT_H
#define IOSPAN_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#define PLOT_WIDTH 1000
#define PLOT_LEFT 9   /* margins, in widths of a character, so that all plots */
#define PLOT_RIGHT 12 /* have their time axes below one another */

struct plot {
	FILE *script, *svg, *err;
};

/* Is there a gnuplot? -errno, printed. */
int plot_check(void);

/* The stream for its commands and data; all that begins with "set terminal" is done. NULL:
 * printed. */
FILE *plot_begin(struct plot *p, int height, const char *title);

/* Some text as a quoted string, in which nothing is a command. */
void plot_text(FILE *script, const char *text);

/* Range, tics and numbers of the axis "x", "y" or "cb": about five, by powers of two if they
 * are bytes. */
void plot_scale(FILE *script, const char *axis, double low, double high, bool binary);

/* The same for an axis "x" or "y" of powers of two, about @tics of which are numbered. */
void plot_log_scale(FILE *script, const char *axis, double low, double high, int tics);

/* From light to dark; what is nothing stays white. */
#define PLOT_PALETTE "set palette defined (0 '#fee391', 0.5 '#ec7014', 1 '#662506')\n"

/* A matrix $D as an image: the middle of column and row 0, and the steps. */
void plot_image(FILE *script, double x0, double dx, double y0, double dy);
/* gnuplot draws none of a single row or column. The rows of $D have a NaN at their end;
 * this is one more row of them, and the end. */
void plot_end_matrix(FILE *script, unsigned columns);

/* Runs it, and writes the SVG, without what stands before it, to @to. -errno, printed. */
int plot_end(struct plot *p, FILE *to);

#endif
