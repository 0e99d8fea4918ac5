// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/model/errors-html.h"

#include <errno.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "bench/model/model-kriging.h"
#include "bench/model/predict.h"
#include "user/base/err.h"
#include "user/base/plot.h"

#define HEIGHT 380

/* The lines of the plot have numbers. Line 0 shows the predictions in the result. The next METHODS
 * lines show one method each, and the others one region each. */
#define LINE_METHODS 1
#define LINE_REGIONS (LINE_METHODS + METHODS)

static double line_error(const struct model *m, unsigned line, const struct seen *seen)
{
	double predicted = seen->predicted;

	if (line >= LINE_REGIONS)
		predicted = predict_single_point(m, line - LINE_REGIONS);
	else if (line >= LINE_METHODS)
		predicted = seen->by[line - LINE_METHODS];
	return error_share(predicted, seen->measured);
}

/* Writes the gnuplot block $E<line>: errors in ascending order, and the fraction of workloads with
 * at most this error, both in percent. Returns the number of workloads with a known error. */
static unsigned line_data(FILE *s, const struct model *m, unsigned line)
{
	double *errors = need(calloc(m->seen_n + 1, sizeof(*errors)));
	unsigned n = 0;

	for (unsigned i = 0; i < m->seen_n; i++) {
		double error = line_error(m, line, &m->seen[i]);

		if (!isnan(error))
			errors[n++] = error * 100;
	}
	gsl_sort(errors, 1, n);
	fprintf(s, "$E%u << EOD\n0 0\n", line);
	for (unsigned i = 0; i < n; i++)
		fprintf(s, "%.15g %.15g\n", errors[i], 100. * (i + 1) / n);
	fprintf(s, "EOD\n");
	free(errors);
	return n;
}

static void plot_line(FILE *s, unsigned line)
{
	static const char *const names[] = { "predictions", "product of the curves", "kriging" };

	fprintf(s, "$E%u using 1:2 with steps linewidth 2 %s ", line,
		line < LINE_REGIONS ? "" : "dashtype 2");
	if (line < LINE_REGIONS)
		fprintf(s, "title '%s', ", names[line]);
	else
		fprintf(s, "title 'one number, region %u', ", line - LINE_REGIONS + 1);
}

int errors_html(FILE *f, const struct model *m)
{
	unsigned lines = LINE_REGIONS + m->regions_n, *n = need(calloc(lines, sizeof(*n)));
	struct plot p;
	FILE *s = plot_begin(&p, HEIGHT,
			     "percent of the workloads over their largest error, percent");

	if (!s) {
		free(n);
		return -EIO;
	}
	for (unsigned i = 0; i < lines; i++)
		n[i] = line_data(s, m, i);
	fputs(PLOT_KEY_BELOW
	      "set xrange [0:100]\nset yrange [0:100]\nset xtics 10\nset ytics 25\nplot ",
	      s);
	/* The predictions in the result were made by one of the methods. If there are lines for the
	 * methods, line 0 would repeat one of these lines, so it is left out. */
	for (unsigned i = n[LINE_METHODS] ? LINE_METHODS : 0; i < lines; i++)
		if (n[i])
			plot_line(s, i);
	fputs("NaN notitle\n", s);
	free(n);
	return plot_end(&p, f);
}
