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

struct plot {
	FILE *script, *svg, *err; /* temporary files that are stdin, stdout and stderr of gnuplot */
	char *title;
};

/* Checks before a measurement that gnuplot works, by running it without commands. Returns 0,
 * -ENOENT if it is not installed, or another -errno; prints the error. */
int plot_check(void);

/* Starts a plot of @height pixels: sets terminal, margins, title, legend and grid. Returns a stream
 * to which the caller writes gnuplot's commands and data until plot_end(). Returns NULL after an
 * error, which it prints. */
FILE *plot_begin(struct plot *p, int height, const char *title);

/* Makes the x axis a time in @unit. If the user magnifies a part of this axis, page.js does the
 * same in all plots with a time axis. */
void plot_time(FILE *script, const char *unit);

/* Writes @text as a quoted string of gnuplot. Characters that could end the string or be read as a
 * command become '?'. */
void plot_text(FILE *script, const char *text);

/* Widens the range from *@low to *@high if it is empty or too narrow for gnuplot. Limits values
 * that are too large for gnuplot. */
void plot_widen(double *low, double *high);

/* Writes the label of a tic at @value, such as "4 Ki" or "1.5 M", to @buf of NUM_TEXT bytes, and
 * returns @buf. */
const char *plot_label(char *buf, double value, bool binary);

/* Sets the range of @axis ("x", "y" or "cb") to @low to @high, widened by plot_widen(), with about
 * five tics. If @binary is true, the values are bytes, and the tics are powers of two with prefixes
 * of 1024. */
void plot_scale(FILE *script, const char *axis, double low, double high, bool binary);

/* Sets the range of @axis ("x" or "y") to @low to @high on a logarithmic scale of base 2. Draws
 * about @tics tics, each with a label such as "4 Ki". */
void plot_log_scale(FILE *script, const char *axis, double low, double high, int tics);

/* colours from light to dark; gnuplot leaves a cell with the value NaN white */
#define PLOT_PALETTE "set palette defined (0 '#fee391', 0.5 '#ec7014', 1 '#662506')\n"

/* Draws the matrix in gnuplot's data block $D as an image. Cell (0, 0) has its centre at (@x0,
 * @y0). The centres of neighbouring cells are @dx and @dy apart. */
void plot_image(FILE *script, double x0, double dx, double y0, double dy);
/* Ends data block $D with a row of NaN, because gnuplot cannot draw a single row or column. For the
 * same reason, the caller writes a NaN after the last of the @columns cells of each row. */
void plot_end_matrix(FILE *script, unsigned columns);

/* Runs gnuplot, writes the <svg> element to @to, and closes the files of @p. Returns 0 or -errno;
 * prints the error. */
int plot_end(struct plot *p, FILE *to);

#endif
