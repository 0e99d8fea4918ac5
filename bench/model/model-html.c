// SPDX-License-Identifier: GPL-2.0-or-later
/* Plots a result of bench scale; model.h defines the terms. */
#include "bench/model/errors-html.h"
#include "bench/model/model-html.h"
#include "bench/model/model-kriging.h"

#include <errno.h>
#include <math.h>

#include "user/stats/curve.h"
#include "user/base/out.h"
#include "user/base/plot.h"

#define SWEEP_HEIGHT 380
#define SLOPE_HEIGHT 260
#define PANEL_HEIGHT 250
#define PANELS 3
#define STEPS 120
/* Workloads with at least this fraction of the highest bandwidth perform well (Chen and Patterson
 * 1993, figure 5). */
#define PERFORMS_WELL 0.75

static const struct {
	enum quantity q;
	/* bytes per unit of the quantity; 512 for BPS, which counts blocks of 512 bytes */
	double bytes;
	const char *name, *colour;
} lines[] = {
	{ QUANTITY_BANDWIDTH, 1, "bandwidth", "#1f77b4" },
	{ QUANTITY_BPS_VFS, 512, "BPS, vfs", "#2ca02c" },
	{ QUANTITY_BPS_DEVICE, 512, "BPS, device", "#d62728" },
};
#define LINES (sizeof(lines) / sizeof(*lines))

static void parameter_scale(FILE *s, enum parameter p, struct range r, int tics)
{
	if (parameters[p].kind != PARAM_FRACTION) {
		plot_log_scale(s, "x", r.min, r.max, tics);
		return;
	}
	fputs("unset logscale x\n", s);
	plot_scale(s, "x", r.min, r.max, false);
	fputs("set xtics 0.25\nset format x '%g'\n", s);
}

static struct range parameter_range(const struct series *of, enum parameter p)
{
	return (struct range){ of->points[0].at.v[p], of->points[of->n - 1].at.v[p] };
}

/* Divides the range from r.min to r.max into STEPS steps of equal length on the axis of parameter
 * @p. Returns the position of step @i on this axis (parameter_axis()). */
static double step_axis(struct range r, enum parameter p, int i)
{
	double low = parameter_axis(p, r.min);

	return low + i * (parameter_axis(p, r.max) - low) / STEPS;
}

static double step_value(struct range r, enum parameter p, int i)
{
	double x = step_axis(r, p, i);

	return parameters[p].kind == PARAM_FRACTION ? x : exp(x);
}

/* Returns the range of all values in a plot of the curves over @p. An error bar is included only up
 * to a factor of two above and below its value. */
static struct range drawn_values(const struct series *of, enum parameter p)
{
	struct range r = { HUGE_VAL, 0 }, along = parameter_range(of, p);

	for (size_t l = 0; l < LINES; l++) {
		for (unsigned i = 0; i < of->n; i++)
			r = range_with(r, of->points[i].value[lines[l].q] * lines[l].bytes);
		for (int i = 0; i <= STEPS; i++)
			r = range_with(r,
				       exp(curve_at(of->curves[lines[l].q], step_axis(along, p, i))
						   .log_y) *
					       lines[l].bytes);
	}
	for (unsigned i = 0; i < of->n; i++) {
		double v = of->points[i].value[QUANTITY_BANDWIDTH];
		double bar = fmin(1 + of->points[i].half_width, 2);

		if (!isnan(of->points[i].half_width))
			r = range_with(range_with(r, v * bar), v / bar);
	}
	return r;
}

/* Writes the data of a plot for gnuplot: the curves to block $L, the measured points to block $P.
 * Unknown values are NaN, so gnuplot interrupts the curve there. */
static void model_curve_data(FILE *s, const struct series *of, enum parameter p)
{
	struct range r = parameter_range(of, p);

	fprintf(s, "$L << EOD\n");
	for (int i = 0; i <= STEPS; i++) {
		double x = step_axis(r, p, i);

		fprintf(s, "%.15g", step_value(r, p, i));
		for (size_t l = 0; l < LINES; l++)
			fprintf(s, " %.15g",
				exp(curve_at(of->curves[lines[l].q], x).log_y) * lines[l].bytes);
		fputc('\n', s);
	}
	fprintf(s, "EOD\n$P << EOD\n");
	for (unsigned i = 0; i < of->n; i++) {
		const struct point *point = &of->points[i];
		double half = isnan(point->half_width) ? 0 : point->half_width;

		fprintf(s, "%.15g %.15g %.15g %.15g", point->at.v[p], point->value[0],
			point->value[0] / (1 + half), point->value[0] * (1 + half));
		for (size_t l = 1; l < LINES; l++)
			fprintf(s, " %.15g", point->value[lines[l].q] * lines[l].bytes);
		fputc('\n', s);
	}
	fprintf(s, "EOD\n");
}

static void plot_curves(FILE *s)
{
	fprintf(s, "plot ");
	for (size_t l = 0; l < LINES; l++)
		fprintf(s,
			"$L using 1:%zu with lines linewidth 2 linecolor rgb '%s' title '%s', "
			"$P using 1:%zu with points pointtype 7 pointsize 0.4 linecolor rgb '%s' "
			"notitle, ",
			l + 2, lines[l].colour, lines[l].name, l ? l + 4 : 2, lines[l].colour);
	fprintf(s,
		"$P using 1:2:3:4 with yerrorbars pointtype 7 pointsize 0.4 linecolor rgb '%s' "
		"notitle\n",
		lines[0].colour);
}

static void shade(FILE *s, double from, double to, const char *colour)
{
	fprintf(s,
		"set object rectangle from %.15g, graph 0 to %.15g, graph 1 behind fillcolor "
		"rgb '%s' fillstyle solid noborder\n",
		from, to, colour);
}

static void shade_regions(FILE *s, const struct model *m)
{
	static const char *const colours[] = { "#eef4fb", "#dfeaf7" };

	for (unsigned i = 0; i < m->regions_n; i++)
		shade(s, m->regions[i].bytes.min, m->regions[i].bytes.max, colours[i % 2]);
	for (unsigned i = 0; i < m->borders_n; i++)
		shade(s, m->borders[i].range.min, m->borders[i].range.max, "#fbdcd3");
}

/* Shades the values of parameter @p with a bandwidth of at least PERFORMS_WELL times the maximum.
 */
static void shade_good(FILE *s, const struct series *of, enum parameter p)
{
	const struct curve *curve = of->curves[QUANTITY_BANDWIDTH];
	struct range r = parameter_range(of, p);
	double most = -HUGE_VAL;
	int from = -1;

	for (int i = 0; i <= STEPS; i++)
		most = fmax(most, curve_at(curve, step_axis(r, p, i)).log_y);
	fputs("unset object\n", s);
	for (int i = 0; i <= STEPS + 1; i++) {
		bool good = i <= STEPS &&
			curve_at(curve, step_axis(r, p, i)).log_y >= most + log(PERFORMS_WELL);

		if (good && from < 0)
			from = i;
		if (good || from < 0)
			continue;
		shade(s, step_value(r, p, from), step_value(r, p, i - 1), "#e4f2e4");
		from = -1;
	}
}

static int sweep_html(FILE *f, const struct model *m)
{
	struct plot p;
	FILE *s = plot_begin(&p, SWEEP_HEIGHT, "bytes per second by unique bytes");
	struct range values = drawn_values(&m->sweep, PARAM_UNIQUE_BYTES);

	if (!s)
		return -EIO;
	model_curve_data(s, &m->sweep, PARAM_UNIQUE_BYTES);
	shade_regions(s, m);
	fputs(PLOT_KEY_BELOW, s);
	parameter_scale(s, PARAM_UNIQUE_BYTES, parameter_range(&m->sweep, PARAM_UNIQUE_BYTES), 10);
	plot_log_scale(s, "y", values.min / 1.5, values.max * 1.5, 8);
	plot_curves(s);
	return plot_end(&p, f);
}

/* Returns the number of halvings of the bandwidth for each doubling of uniqueBytes, from point @i
 * to point @k. */
static double fall(const struct series *of, unsigned i, unsigned k)
{
	const struct point *a = &of->points[i], *b = &of->points[k];

	return log(a->value[QUANTITY_BANDWIDTH] / b->value[QUANTITY_BANDWIDTH]) /
		log(b->at.v[PARAM_UNIQUE_BYTES] / a->at.v[PARAM_UNIQUE_BYTES]);
}

/* Plots the slope of the curve over uniqueBytes (Chen and Patterson 1993, figure 6). */
static int slope_html(FILE *f, const struct model *m)
{
	const struct series *of = &m->sweep;
	double average = fall(of, 0, of->n - 1);
	struct range r = { fmin(0, average), fmax(0, average) };
	struct plot p;
	FILE *s = plot_begin(&p, SLOPE_HEIGHT,
			     "halvings of the bandwidth for each doubling of unique bytes");

	if (!s)
		return -EIO;
	fprintf(s, "$F << EOD\n");
	for (unsigned i = 0; i + 1 < of->n; i++) {
		double v = fall(of, i, i + 1);

		r = range_with(r, v);
		fprintf(s, "%.15g %.15g\n%.15g %.15g\n", of->points[i].at.v[PARAM_UNIQUE_BYTES], v,
			of->points[i + 1].at.v[PARAM_UNIQUE_BYTES], v);
	}
	fprintf(s, "EOD\n");
	shade_regions(s, m);
	fputs(PLOT_KEY_BELOW, s);
	parameter_scale(s, PARAM_UNIQUE_BYTES, parameter_range(of, PARAM_UNIQUE_BYTES), 10);
	plot_scale(s, "y", r.min, r.max * 1.1, false);
	fprintf(s,
		"plot $F using 1:2 with lines linewidth 2 linecolor rgb '%s' title 'slope', "
		"%.15g with lines dashtype 2 linecolor rgb '#888888' title 'average'\n",
		lines[0].colour, average);
	return plot_end(&p, f);
}

/* Starts a picture with @n plots, PANELS in each row. Returns the stream to gnuplot, or NULL. */
static FILE *panels_begin(struct plot *p, int n, const char *title)
{
	int rows = (n + PANELS - 1) / PANELS;
	FILE *s = plot_begin(p, rows * PANEL_HEIGHT + 30, "");

	if (s)
		fprintf(s,
			"unset key\nunset lmargin\nunset rmargin\nunset title\n"
			"set multiplot layout %d,%d title '%s'\n",
			rows, PANELS, title);
	return s;
}

static void plot_panel(FILE *s, const struct region *r, enum parameter p)
{
	const struct series *of = &r->series[p];

	model_curve_data(s, of, p);
	fprintf(s,
		"set title '%s'\nunset arrow\nset arrow from %.15g, graph 0 to %.15g, graph 1 "
		"nohead dashtype 2 linecolor rgb '#888888'\n",
		parameters[p].title, r->focal.v[p], r->focal.v[p]);
	parameter_scale(s, p, parameter_range(of, p), 4);
	plot_scale(s, "y", 0, drawn_values(of, p).max * 1.1, true);
	shade_good(s, of, p);
	plot_curves(s);
}

static int region_plots(FILE *f, const struct model *m, const struct region *r)
{
	struct plot p;
	int n = 0;
	FILE *s;

	for (enum parameter i = 0; i < PARAMETERS; i++)
		n += r->series[i].n > 0;
	if (!n)
		return 0;
	fprintf(f, "<h2>Curves of region %td</h2>\n", r - m->regions + 1);
	s = panels_begin(&p, n,
			 "bytes per second by parameter; dashed: focal point; green: at least 75 % "
			 "of the highest bandwidth");
	if (!s)
		return -EIO;
	for (enum parameter i = 0; i < PARAMETERS; i++)
		if (r->series[i].n)
			plot_panel(s, r, i);
	fprintf(s, "unset multiplot\n");
	return plot_end(&p, f);
}

/* Writes the gnuplot block $S, with a line for each workload of the validation. A line has the
 * measured bandwidth, the predicted bandwidth, the error, a flag, and the parameters. The flag is 1
 * if the workload is at a border between regions. Returns the range of the bandwidths. */
static struct range seen_data(FILE *s, const struct model *m)
{
	struct range r = { HUGE_VAL, 0 };

	fprintf(s, "$S << EOD\n");
	for (unsigned i = 0; i < m->seen_n; i++) {
		const struct seen *seen = &m->seen[i];

		r = range_with(range_with(r, seen->predicted), seen->measured);
		fprintf(s, "%.15g %.15g %.15g %d", seen->measured, seen->predicted,
			error_share(seen->predicted, seen->measured), seen->border);
		for (enum parameter p = 0; p < PARAMETERS; p++)
			fprintf(s, " %.15g", seen->at.v[p]);
		fputc('\n', s);
	}
	fprintf(s, "EOD\n");
	return r;
}

static void plot_seen(FILE *s, const char *x, const char *y)
{
	fprintf(s,
		"$S using %s:($4 == 0 ? $%s : NaN) with points pointtype 7 pointsize 0.5 "
		"linecolor rgb '#1f77b4' title 'outside borders', "
		"$S using %s:($4 == 1 ? $%s : NaN) with points pointtype 7 pointsize 0.5 "
		"linecolor rgb '#d62728' title 'at a border'\n",
		x, y, x, y);
}

static int validation_scatter_html(FILE *f, const struct model *m)
{
	struct plot p;
	FILE *s = plot_begin(&p, 600,
			     "bytes per second: predicted (vertical) over measured (horizontal)");
	struct range r;

	if (!s)
		return -EIO;
	r = seen_data(s, m);
	fputs(PLOT_KEY_BELOW, s);
	plot_log_scale(s, "x", r.min / 1.5, r.max * 1.5, 10);
	plot_log_scale(s, "y", r.min / 1.5, r.max * 1.5, 10);
	fprintf(s, "plot x with lines linecolor rgb '#888888' notitle, ");
	plot_seen(s, "1", "2");
	return plot_end(&p, f);
}

static int validation_errors_html(FILE *f, const struct model *m)
{
	struct plot p;
	FILE *s = panels_begin(&p, PARAM_DEPTH, "prediction error by parameter");
	char column[8];

	if (!s)
		return -EIO;
	seen_data(s, m);
	fprintf(s, "set yrange [0:*]\nset format y '%%.0f %%%%'\n");
	for (enum parameter i = 0; i < PARAM_DEPTH; i++) {
		fprintf(s, "set title '%s'\n", parameters[i].title);
		parameter_scale(s, i, m->axes[i], 4);
		fprintf(s, "plot ");
		snprintf(column, sizeof(column), "%d", i + 5);
		plot_seen(s, column, "3*100");
	}
	fprintf(s, "unset multiplot\n");
	return plot_end(&p, f);
}

static int all_plots(FILE *f, const struct model *m)
{
	int ret = 0;

	fputs("<h2>Regions (blue) and borders (red); BPS in bytes per second, 512 per block</h2>\n",
	      f);
	if (m->sweep.n > 1)
		ret = sweep_html(f, m) ?: slope_html(f, m);
	for (unsigned i = 0; i < m->regions_n && !ret; i++)
		ret = region_plots(f, m, &m->regions[i]);
	if (ret || !m->seen_n)
		return ret;
	fprintf(f, "<h2>Predicted and measured workloads</h2>\n");
	return validation_scatter_html(f, m) ?: errors_html(f, m) ?: validation_errors_html(f, m);
}

int model_plots(FILE *f, const void *doc)
{
	struct model *m = model_of(out_keep(doc), "the result");
	int ret = m ? all_plots(f, m) : -EINVAL;

	model_free(m);
	return ret;
}
