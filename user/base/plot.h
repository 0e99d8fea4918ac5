/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One plot, drawn by gnuplot as SVG.
 *
 *	struct plot p;
 *	FILE *script = plot_begin(&p, 300, "requests per second");
 *
 *	if (!script)
 *		return -EIO;
 *	plot_scale(script, "x", 0, 10, false);
 *	fprintf(script, "plot '-' with lines\n0 1\n10 5\ne\n");
 *	return plot_end(&p, page); */
#ifndef IOSPAN_PLOT_H
#define IOSPAN_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#define PLOT_WIDTH 1000 /* pixels */
/* Margins in widths of a character. They are fixed, so that the time axes of plots that stand below
 * one another are aligned. */
#define PLOT_LEFT 9
#define PLOT_RIGHT 12

struct plot {
	FILE *script, *svg, *err; /* temporary files: stdin, stdout and stderr of gnuplot */
};

/* Runs gnuplot once without commands, before the work. Returns -ENOENT if it is not installed,
 * else 0 or -errno; prints the error. */
int plot_check(void);

/* Starts a plot of @height pixels. Returns the stream for gnuplot's commands and data; terminal,
 * margins, title, legend and grid are set already. plot_end() closes it. Returns NULL after an
 * error; prints it. */
FILE *plot_begin(struct plot *p, int height, const char *title);

/* Writes @text as a quoted string of gnuplot. Characters that could end it or be a command become
 * '?'. */
void plot_text(FILE *script, const char *text);

/* Widens [@low, @high] if it is empty or too narrow for gnuplot, and limits numbers that are too
 * large. */
void plot_widen(double *low, double *high);

/* Sets the range of @axis, "x", "y" or "cb", to [@low, @high], widened by plot_widen(), with about
 * five tics. @binary: the tics are powers of two, with prefixes of 1024, for bytes. */
void plot_scale(FILE *script, const char *axis, double low, double high, bool binary);

/* Sets the same for @axis, "x" or "y", with a logarithmic scale of base 2 and about @tics tics,
 * each labelled as a size: "4k". */
void plot_log_scale(FILE *script, const char *axis, double low, double high, int tics);

/* Colours from light to dark. Cells that are NaN stay white. */
#define PLOT_PALETTE "set palette defined (0 '#fee391', 0.5 '#ec7014', 1 '#662506')\n"

/* Draws the matrix in data block $D as an image. The cell of column 0 and row 0 has its centre at
 * (@x0, @y0); @dx and @dy are the distances between centres. */
void plot_image(FILE *script, double x0, double dx, double y0, double dy);
/* Writes a last row of NaN, and the end of $D. gnuplot draws no image of a single row or column,
 * so the caller also ends each of the rows, of @columns cells, with a NaN. */
void plot_end_matrix(FILE *script, unsigned columns);

/* Runs gnuplot, writes the <svg> element to @to and closes the files of @p. Returns -errno; prints
 * the error. */
int plot_end(struct plot *p, FILE *to);

#endif
