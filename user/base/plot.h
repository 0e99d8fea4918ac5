/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws a plot: gnuplot writes it as SVG.
 *
 * 	struct plot p;
 * 	FILE *script = plot_begin(&p, 300, "requests per second");
 *
 * 	if (!script)
 * 		return -EIO;
 * 	plot_scale(script, "x", 0, 10, false);
 * 	fprintf(script, "plot '-' with lines\n0 1\n10 5\ne\n");
 * 	return plot_end(&p, page); */
#ifndef IOSPAN_PLOT_H
#define IOSPAN_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#define PLOT_WIDTH 1000 /* width of a plot in pixels */
/* Left and right margins, in widths of a character. They are equal in all plots, so that time axes
 * below one another are aligned. */
#define PLOT_LEFT 9
#define PLOT_RIGHT 12

/* commands of gnuplot: the legend is one line below the plot, and the plot has a grid */
#define PLOT_KEY_BELOW "set rmargin 3\nset key outside bottom center horizontal\nset grid\n"

struct plot {
	FILE *script, *svg, *err; /* files in memory that are stdin, stdout and stderr of gnuplot */
	char *title;
};

/* Checks before a measurement that gnuplot works, by running gnuplot without commands. Returns 0,
 * -ENOENT if gnuplot is not installed, or another -errno; prints the error. */
int plot_check(void);

/* Starts a plot of @height pixels: sets terminal, margins, title, legend and grid. Returns a stream
 * to which the caller writes gnuplot's commands and data until plot_end(). Returns NULL after an
 * error, which it prints. */
FILE *plot_begin(struct plot *p, int height, const char *title);

/* Makes the x axis a time in @unit. If the user magnifies a range of this axis, page.js magnifies
 * the same range in all plots with a time axis. */
void plot_time(FILE *script, const char *unit);

/* Writes @text in quotes, as the title of a curve. Characters that gnuplot could interpret become
 * '?'. */
void plot_text(FILE *script, const char *text);

/* Writes a tic with the label @text at position @at of the axis. Characters that gnuplot could
 * interpret become '?'. gnuplot takes labels of tics as formats, so % is doubled. */
void plot_tic(FILE *script, const char *text, unsigned at);

/* If the range from *@low to *@high is empty or too narrow for gnuplot, widens the range. Limits
 * values that are too large for gnuplot. */
void plot_widen(double *low, double *high);

/* Writes the label of a tic at @value, such as "4 Ki" or "1.5 M", to @buf of NUM_TEXT bytes, and
 * returns @buf. */
const char *plot_label(char *buf, double value, bool binary);

/* Sets the range of @axis ("x", "y", or "cb" for the colours) to @low to @high, widened by
 * plot_widen(). Draws about five tics. If @binary is true, the values are bytes, and the tics are
 * powers of two with prefixes of 1024, such as "Ki". */
void plot_scale(FILE *script, const char *axis, double low, double high, bool binary);

/* Sets the range of @axis ("x" or "y") to @low to @high on a logarithmic scale of base 2. Draws
 * about @tics tics, each with a label such as "4 Ki". */
void plot_log_scale(FILE *script, const char *axis, double low, double high, int tics);

/* colours from light to dark; gnuplot leaves a cell with the value NaN white */
#define PLOT_PALETTE "set palette defined (0 '#fee391', 0.5 '#ec7014', 1 '#662506')\n"

/* An image. gnuplot cannot draw an image of a single row or column. So each image has one
 * additional row and one additional column, which always stay empty. */
struct plot_image {
	unsigned columns, rows;
	float *cells; /* row by row, from the bottom of the image; NaN: the cell is white */
};

/* Returns an image with @columns and @rows of cells that are NaN. plot_image() releases it. */
struct plot_image plot_image_new(unsigned columns, unsigned rows);
/* Draws the image. The cell in column 0 and row 0 has its centre at (@x0, @y0). @dx and @dy are the
 * distances between the centres of cells. */
void plot_image(FILE *script, const struct plot_image *i, double x0, double dx, double y0,
		double dy);

/* Runs gnuplot, writes the <svg> element to @to, and closes the files of @p. Returns 0 or -errno;
 * prints the error. */
int plot_end(struct plot *p, FILE *to);

#endif
