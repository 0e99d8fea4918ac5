// SPDX-License-Identifier: GPL-2.0-or-later
/* Draws the plots of Madireddy and others, IEEE NAS 2017: I/O times (figure 2), files of one job (3
 * to 5), I/O times against the I/O of the system (6 to 8), measures of dependence against the
 * interval length (10 to 12). Figure 13 is in job-io.c. The system data is a table with an interval
 * per row. A column is one kind of I/O, such as the bytes of a cgroup. */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>

#include "user/stats/density.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/page.h"
#include "user/base/plot.h"
#include "tools/correlate/correlate.h"
#include "tools/correlate/correlate-html.h"
#include "tools/correlate/job-io.h"

#define MOST_PLOTS 6 /* maximum number of columns of the system data that get plots */
#define STEPS 100
#define GRID_X 100
#define GRID_Y 60
#define CELLS (GRID_X * GRID_Y)
#define BARS 40
/* maximum number of lines in the plot of a job's files; if there are more, only every n-th is
 * drawn */
#define MOST_LINES 5000
#define FAINT 0.02 /* densities below this fraction of the highest density are drawn white */

struct range {
	double low, high;
};

static struct range plot_range(size_t n, const double *v)
{
	struct range r = { gsl_stats_min(v, 1, n), gsl_stats_max(v, 1, n) };
	double room = 0.05 * (r.high - r.low);

	/* If all values are equal, the axis still needs a length. */
	if (room <= 0)
		room = r.high ? fabs(r.high) / 2 : 1;
	r.low -= room;
	r.high += room;
	plot_widen(&r.low, &r.high);
	return r;
}

/* Returns the middle of part @i, if the range is divided into @n equal parts. */
static double range_point(struct range r, int i, int n)
{
	return r.low + (r.high - r.low) * (i + 0.5) / n;
}

static int histogram_html(FILE *f, const struct correlation_study *c, const struct column_curve *v)
{
	struct range r = plot_range(v->n, v->y);
	unsigned bars[BARS] = {}, most = 1;
	struct plot p;
	FILE *s = plot_begin(&p, 280, "jobs by I/O time, s");

	if (!s)
		return -EIO;
	for (size_t i = 0; i < v->n; i++) {
		double at = (v->y[i] - r.low) / (r.high - r.low) * BARS;
		unsigned *bar = &bars[(int)fmin(fmax(at, 0), BARS - 1)];

		most = ++*bar > most ? *bar : most;
	}
	fprintf(s, "$H << EOD\n");
	for (int i = 0; i < BARS; i++)
		fprintf(s, "%.15g %u\n", range_point(r, i, BARS), bars[i]);
	fprintf(s, "EOD\nset rmargin 3\nset boxwidth %.15g\nset style fill solid 0.6\nunset key\n",
		(r.high - r.low) / BARS);
	plot_scale(s, "x", r.low, r.high, false);
	plot_scale(s, "y", 0, most * 1.1, false);
	fprintf(s, "plot $H using 1:2 with boxes linecolor rgb '#1f77b4'\n");
	return plot_end(&p, f);
}

static void lines_data(FILE *s, const struct correlation_study *c, enum form form)
{
	const struct timed_jobs *jobs = c->jobs;
	double begin = jobs->list[jobs->example[0].job].start_s;

	fprintf(s, "$%s << EOD\n", form_names[form]);
	for (size_t i = 0; i < jobs->example_n; i += jobs->example_n / MOST_LINES + 1) {
		const struct activity *a = &jobs->example[i];

		if (a->form == form)
			fprintf(s, "%.9g %zu %.9g\n", a->first_s - begin, i + 1,
				a->last_s - a->first_s);
	}
	fprintf(s, "EOD\n");
}

/* Plots the files of an example job, the job with the most used files. A file that the job reads
 * has a line from its first to its last read. A file that the job writes has a line from its first
 * to its last write. */
static int files_html(FILE *f, const struct correlation_study *c)
{
	static const struct {
		enum form form;
		const char *colour;
	} of[] = {
		{ FORM_READS, "#1b9e77" },
		{ FORM_WRITES, "#d95f02" },
	};
	const struct timed_jobs *jobs = c->jobs;
	const struct timed_job *j = &jobs->list[jobs->example[0].job];
	char *title = need_text("files of job %.100s, each from first to last access, s", j->name);
	struct plot p;
	FILE *s = plot_begin(&p, 300, title);

	free(title);
	if (!s)
		return -EIO;
	for (int i = 0; i < 2; i++)
		lines_data(s, c, of[i].form);
	fputs(PLOT_KEY_BELOW, s);
	plot_scale(s, "x", 0, fmax(j->end_s - j->start_s, 1e-9), false);
	plot_scale(s, "y", 0, jobs->example_n + 1, false);
	for (int i = 0; i < 2; i++)
		fprintf(s,
			"%s $%s using 1:2:3:(0) with vectors nohead linewidth 2 linecolor rgb "
			"'%s' title '%s'",
			i ? "," : "plot", form_names[of[i].form], of[i].colour,
			form_names[of[i].form]);
	fputc('\n', s);
	return plot_end(&p, f);
}

/* Prints gnuplot expressions for the position of a cell of the density matrix $D. They compute x
 * from the number of the cell's column ($1), and y from the number of its row ($2). */
static void grid_text(FILE *s, struct range x, struct range y)
{
	fprintf(s, "(%.15g+%.15g*$1):(%.15g+%.15g*$2)", range_point(x, 0, GRID_X),
		(x.high - x.low) / GRID_X, range_point(y, 0, GRID_Y), (y.high - y.low) / GRID_Y);
}

/* Returns the density on the contour line that encloses @fraction of the total density, as a
 * fraction of the highest density. @sorted has the densities of all cells of the grid in ascending
 * order. */
static double contour_level(const double *sorted, double fraction)
{
	double all = 0, sum = 0;
	int i = CELLS;

	for (int k = 0; k < CELLS; k++)
		all += sorted[k];
	while (i > 1 && sum < fraction * all)
		sum += sorted[--i];
	return sorted[i] / sorted[CELLS - 1];
}

/* Prints gnuplot commands that compute the contour lines that enclose 90, 50 and 10 % of the total
 * density. Sorts @cells. */
static void contour_data(FILE *s, double *cells, struct range x, struct range y)
{
	gsl_sort(cells, 1, CELLS);
	fprintf(s,
		"set contour base\nunset surface\nset cntrparam levels discrete %.6g, %.6g, "
		"%.6g\nset table $L\nsplot $D matrix using ",
		contour_level(cells, 0.9), contour_level(cells, 0.5), contour_level(cells, 0.1));
	grid_text(s, x, y);
	fprintf(s, ":3\nunset table\n");
}

static void density_data(FILE *s, const struct density *d, struct range x, struct range y)
{
	double *cells = need(calloc(CELLS, sizeof(*cells))), most = 0;

	for (int i = 0; i < CELLS; i++) {
		cells[i] = density_at(d, range_point(x, i % GRID_X, GRID_X),
				      range_point(y, i / GRID_X, GRID_Y));
		most = fmax(most, cells[i]);
	}
	fprintf(s, "$D << EOD\n");
	for (int i = 0; i < CELLS; i++) {
		double relative = cells[i] / most;

		fprintf(s, "%.3g%c", relative > FAINT ? relative : NAN,
			i % GRID_X == GRID_X - 1 ? '\n' : ' ');
	}
	fprintf(s, "EOD\n");
	contour_data(s, cells, x, y);
	free(cells);
}

/* Prints two tables for gnuplot. $C has the I/O times that a random forest and a kernel density
 * estimate predict for STEPS amounts of I/O. $P has the amount of I/O and the I/O time of each
 * job. */
static void column_curve_data(FILE *s, const struct correlation_study *c,
			      const struct column_curve *v, struct range x)
{
	struct curve_point points[STEPS];

	for (int i = 0; i < STEPS; i++)
		points[i].amount = range_point(x, i, STEPS);
	curve_estimate(c->o, v, STEPS, points);
	fprintf(s, "$C << EOD\n");
	for (const struct curve_point *p = points; p < points + STEPS; p++)
		fprintf(s, "%.15g %.15g %.15g %.15g %.15g\n", p->amount, p->forest_s, p->median_s,
			p->low_s, p->high_s);
	fprintf(s, "EOD\n$P << EOD\n");
	for (size_t i = 0; i < v->n; i++)
		fprintf(s, "%.15g %.15g\n", v->x[i], v->y[i]);
	fprintf(s, "EOD\n");
}

static void scatter_commands(FILE *s, const struct column_curve *v, bool has_density,
			     struct range x, struct range y)
{
	double mean = gsl_stats_mean(v->y, 1, v->n);
	double off = v->n > 1 ? 1.645 * gsl_stats_sd(v->y, 1, v->n) : 0;

	/* The sum of huge I/O times may overflow to infinity. gnuplot cannot read that, so it gets
	 * NaN. */
	if (isfinite(mean + off))
		fprintf(s, "m = %.15g\no = %.15g\n", mean, off);
	else
		fputs("m = NaN\no = NaN\n", s);
	fprintf(s, PLOT_PALETTE "unset colorbox\nplot ");
	if (has_density) {
		fprintf(s, "$D matrix using ");
		grid_text(s, x, y);
		fprintf(s,
			":3 with image notitle, $L using 1:2 with lines linecolor rgb "
			"'#8c6d31' title '10, 50, 90 %% of the density', ");
	}
	fprintf(s,
		"$P with points pointtype 7 pointsize 0.3 linecolor rgb '#444444' title 'jobs', "
		"m with lines linecolor rgb '#d62728' title 'mean', "
		"m-o with lines dashtype 2 linecolor rgb '#d62728' title 'mean +- 1.645 "
		"deviations', "
		"m+o with lines dashtype 2 linecolor rgb '#d62728' notitle, "
		"$C using 1:2 with lines linewidth 2 linecolor rgb '#2ca02c' title 'forest'");
	if (has_density)
		fprintf(s,
			", $C using 1:3 with lines linewidth 2 linecolor rgb '#1f77b4' "
			"title 'median', $C using 1:4 with lines dashtype 3 linewidth 2 "
			"linecolor rgb '#1f77b4' title '90 %%', $C using 1:5 with lines "
			"dashtype 3 linewidth 2 linecolor rgb '#1f77b4' notitle");
	fputc('\n', s);
}

static int column_scatter_html(FILE *f, const struct correlation_study *c,
			       const struct column_curve *v)
{
	struct range x = plot_range(v->n, v->x), y = plot_range(v->n, v->y);
	struct density d;
	bool has = density_make(&d, v->n, v->x, v->y, DENSITY_FULL) ||
		density_make(&d, v->n, v->x, v->y, DENSITY_SCOTT);
	struct plot p;
	FILE *s = plot_begin(&p, 420, "I/O time, s, against the I/O of the system");

	if (!s)
		return -EIO;
	if (has)
		density_data(s, &d, x, y);
	column_curve_data(s, c, v, x);
	fputs(PLOT_KEY_BELOW, s);
	plot_scale(s, "x", x.low, x.high, column_is_bytes(c, v->column));
	plot_scale(s, "y", y.low, y.high, false);
	scatter_commands(s, v, has, x, y);
	return plot_end(&p, f);
}

/* Plots the measures of dependence for merged intervals. The x axis is the number of intervals
 * merged into one. If this number may exceed GRAINS_EACH, the x axis is the length of the merged
 * interval instead, on a logarithmic scale. */
static int grains_html(FILE *f, const struct correlation_study *c, u32 column)
{
	bool log = c->o->granularity > GRAINS_EACH;
	const struct grain *last = &c->grains[c->grains_n - 1];
	struct plot p;
	FILE *s = plot_begin(&p, 300,
			     log ? "measures against the length of an interval, s" :
				   "measures against the number of merged intervals");

	if (!s)
		return -EIO;
	fprintf(s, "$G << EOD\n");
	for (u32 i = 0; i < c->grains_n; i++) {
		fprintf(s, "%.9g", log ? c->grains[i].width_s : c->grains[i].k);
		for (int k = 0; k < ASSOCIATIONS; k++)
			fprintf(s, " %.15g", c->grains[i].of[column].value[k]);
		fputc('\n', s);
	}
	fprintf(s, "EOD\n" PLOT_KEY_BELOW);
	if (log)
		fprintf(s, "set logscale x\naxis_x_log = 1\nplot [%.9g:%.9g] [-1:1] ",
			c->grains[0].width_s, fmax(last->width_s, 2 * c->grains[0].width_s));
	else
		fputs("plot [1:*] [-1:1] ", s);
	for (int k = 0; k < ASSOCIATIONS; k++)
		fprintf(s, "%s$G using 1:%d with linespoints pointtype 7 pointsize 0.4 title '%s'",
			k ? ", " : "", k + 2, association_titles[k]);
	fputc('\n', s);
	return plot_end(&p, f);
}

static int column_html(FILE *f, const struct correlation_study *c, const struct column_curve *v)
{
	int ret;

	fprintf(f, "<h2>");
	page_text(f, c->system->columns[v->column].name);
	fprintf(f, "</h2>\n");
	ret = column_scatter_html(f, c, v);
	return ret || !c->grains_n ? ret : grains_html(f, c, v->column);
}

int correlate_plots_html(FILE *f, const void *study)
{
	const struct correlation_study *c = study;
	u32 shown = 0;
	int ret = 0;

	for (u32 i = 0; !ret && i < c->n && shown < MOST_PLOTS; i++) {
		const struct column_curve *v = &c->curves[c->list[i].column];

		if (c->list[i].form != c->form || !v->n)
			continue;
		if (!shown++)
			ret = histogram_html(f, c, v);
		if (!ret && shown == 1 && c->jobs->example_n)
			ret = files_html(f, c);
		if (!ret && shown == 1)
			ret = job_io_html(f, c);
		if (!ret && shown == 1 && c->prediction.rows_n)
			ret = prediction_html(f, c);
		if (!ret)
			ret = column_html(f, c, v);
	}
	return ret;
}
