// SPDX-License-Identifier: GPL-2.0-or-later
/* Draws the figures of He, Sun, Yin 2013 with the results of this machine: correlation coefficients
 * (figures 4 to 6, 9, 11, 12), and plots of a metric beside the execution time (figures 7, 8,
 * 10). */
#include "bench/sets/sets.h"

#include <errno.h>
#include <math.h>

#include "user/base/page.h"
#include "user/base/plot.h"

#define HEIGHT 320

/* For each set: the metrics that He, Sun and Yin (2013) plot or discuss, and the title of the
 * plot. */
static const struct figure {
	enum sets_kind kind;
	enum sets_metric metric;
	const char *title;
} figures[] = {
	{ SETS_SIZES, SETS_IOPS, "IOPS (figure 7)" },
	{ SETS_SIZES, SETS_ARPT, "ARPT (figure 8)" },
	{ SETS_FILES, SETS_ARPT, "ARPT (figure 10)" },
	{ SETS_CONTENDED, SETS_ARPT, "ARPT" },
	{ SETS_SHARED, SETS_ARPT, "ARPT" },
	{ SETS_SIEVING, SETS_BANDWIDTH_VFS, "bandwidth vfs" },
};

/* parameter in which the cases of a set differ */
static const char *const parameters[SETS_KINDS] = {
	[SETS_SIZES] = "request size, bytes", [SETS_FILES] = "processes",
	[SETS_CONTENDED] = "processes",	      [SETS_SHARED] = "processes",
	[SETS_SIEVING] = "hole size, bytes",
};

#define COEFFICIENTS "normalised correlation with the execution time"
static const char *const coefficients[SETS_KINDS] = {
	[SETS_DEVICES] = COEFFICIENTS " (figure 4)",
	[SETS_SIZES] = COEFFICIENTS " (figures 5, 6)",
	[SETS_FILES] = COEFFICIENTS " (figure 9)",
	[SETS_SHARED] = COEFFICIENTS " (figure 11)",
	[SETS_SIEVING] = COEFFICIENTS " (figure 12)",
	[SETS_COMMANDS] = COEFFICIENTS,
	[SETS_CONTENDED] = COEFFICIENTS,
	[SETS_RESULTS] = COEFFICIENTS,
};

static void print_xtics(FILE *s, const char *(*name)(const void *of, unsigned i), const void *of,
			unsigned n)
{
	fprintf(s, "set xrange [-0.6:%g]\nset xtics rotate by -20 (", n - 0.4);
	for (unsigned i = 0; i < n; i++) {
		fprintf(s, "%s", i ? ", " : "");
		plot_tic(s, name(of, i), i);
	}
	fprintf(s, ")\n");
}

static const char *metric_name(const void *of, unsigned i)
{
	return sets_metrics[i + 1].title;
}

static int bars(FILE *f, const struct sets_experiment *e)
{
	struct correlation of[SETS_METRICS];
	struct plot plot;
	bool any = false;
	FILE *s;

	for (enum sets_metric m = SETS_TIME + 1; m < SETS_METRICS; m++) {
		of[m] = sets_correlation(e, m);
		any |= isfinite(of[m].pearson);
	}
	if (!any) /* gnuplot fails if there is nothing to plot */
		return 0;
	s = plot_begin(&plot, HEIGHT, coefficients[e->kind]);
	if (!s)
		return -EIO;
	fprintf(s, "$D << EOD\n");
	for (enum sets_metric m = SETS_TIME + 1; m < SETS_METRICS; m++)
		fprintf(s, "%d %.15g %.15g %.15g\n", m - 1, of[m].pearson, of[m].low, of[m].high);
	fprintf(s, "EOD\n");
	print_xtics(s, metric_name, NULL, SETS_METRICS - 1);
	fprintf(s,
		"set yrange [-1.05:1.05]\nset boxwidth 0.6\nset style fill solid 0.6\n"
		"set xzeroaxis linetype -1\nunset key\n"
		"plot $D using 1:2 with boxes linecolor rgb '#1f77b4', "
		"'' using 1:3:(0):($4-$3) with vectors heads size screen 0.005,90 linecolor rgb "
		"'black'\n");
	return plot_end(&plot, f);
}

static const char *case_name(const void *of, unsigned i)
{
	const struct sets_experiment *e = of;

	return e->cases[i].name;
}

/* Converts the value @v of metric @m to the unit that axis_unit() returns. */
static double in_unit(enum sets_metric m, double v)
{
	switch (sets_metrics[m].kind) {
	case METRIC_TIME:
		return v / 1e9;
	case METRIC_BYTE_RATE:
		return v / (1 << 20);
	default:
		return v;
	}
}

static const char *axis_unit(enum sets_metric m)
{
	switch (sets_metrics[m].kind) {
	case METRIC_TIME:
		return ", s";
	case METRIC_BYTE_RATE:
		return ", MiB/s";
	default:
		return "";
	}
}

static bool has_metric(const struct sets_experiment *e, enum sets_metric m)
{
	bool any = false;

	for (unsigned i = 0; i < e->cases_n; i++)
		any |= isfinite(sets_spread(&e->cases[i], m).mean);
	return any;
}

static int beside_time(FILE *f, const struct sets_experiment *e, const struct figure *figure)
{
	enum sets_metric m = figure->metric;
	struct plot plot;
	FILE *s = plot_begin(&plot, HEIGHT, figure->title);

	if (!s)
		return -EIO;
	fprintf(s, "$D << EOD\n");
	for (unsigned i = 0; i < e->cases_n; i++)
		fprintf(s, "%u %.15g %.15g\n", i,
			in_unit(SETS_TIME, sets_spread(&e->cases[i], SETS_TIME).mean),
			in_unit(m, sets_spread(&e->cases[i], m).mean));
	fprintf(s, "EOD\n");
	print_xtics(s, case_name, e, e->cases_n);
	fprintf(s,
		PLOT_KEY_BELOW
		"set xlabel \"%s\\n\"\nset lmargin 12\nset rmargin 14\n"
		"set yrange [0:*]\nset y2range [0:*]\n"
		"set ytics nomirror\nset y2tics\nset ylabel 'time, s'\nset y2label '%s%s'\n"
		"plot $D using 1:2 with linespoints linewidth 2 pointtype 7 title 'time', "
		"'' using 1:3 axes x1y2 with linespoints linewidth 2 pointtype 5 title '%s'\n",
		parameters[e->kind], sets_metrics[m].title, axis_unit(m), sets_metrics[m].title);
	return plot_end(&plot, f);
}

static int experiment_plots(FILE *f, const struct sets *s, const struct sets_experiment *e)
{
	int ret;

	fprintf(f, "<h2>plots of set %s: %s", sets_names[e->kind], sets_titles[e->kind]);
	if (s->how.each_way && e->kind == SETS_SIEVING)
		fprintf(f, ", way \"%s\"", sets_ways[sets_way_of(&e->cases->regions)]);
	if (e->kind < SETS_COMMANDS && !(SETS_OF_ALL_TARGETS & 1u << e->kind)) {
		fputs(", in ", f);
		page_text(f, e->files[0]);
	}
	fputs("</h2>\n", f);
	ret = bars(f, e);
	for (unsigned i = 0; i < sizeof(figures) / sizeof(*figures) && !ret; i++)
		if (figures[i].kind == e->kind && has_metric(e, figures[i].metric))
			ret = beside_time(f, e, &figures[i]);
	return ret;
}

/* Draws the execution time of set 4 for each way of reading (sets_options.each_way). @e[way] is the
 * set of one way (enum sets_way). */
static int ways_plot(FILE *f, const struct sets_experiment *e)
{
	static const char *const colours[SETS_WAYS] = { "#1f77b4", "#ff7f0e", "#2ca02c" };
	struct plot plot;
	FILE *s = plot_begin(&plot, HEIGHT, "execution time of set 4 in each way to read");

	if (!s)
		return -EIO;
	fprintf(s, "$D << EOD\n");
	for (unsigned i = 0; i < e->cases_n; i++) {
		fprintf(s, "%u", i);
		for (enum sets_way way = 0; way < SETS_WAYS; way++)
			fprintf(s, " %.15g",
				in_unit(SETS_TIME, sets_spread(&e[way].cases[i], SETS_TIME).mean));
		fputc('\n', s);
	}
	fprintf(s, "EOD\n");
	print_xtics(s, case_name, e, e->cases_n);
	fprintf(s,
		"set xlabel '%s'\nset yrange [0:*]\nset ylabel 'time, s'\nset lmargin 12\n"
		"set rmargin 18\nplot ",
		parameters[SETS_SIEVING]);
	for (enum sets_way way = 0; way < SETS_WAYS; way++)
		fprintf(s,
			"%s$D using 1:%d with linespoints linewidth 2 pointtype 7 linecolor rgb "
			"'%s' title '%s'",
			way ? ", " : "", way + 2, colours[way], sets_ways[way]);
	fputc('\n', s);
	return plot_end(&plot, f);
}

int sets_plots(FILE *f, const void *of)
{
	const struct sets *s = of;
	int ret = 0;

	for (unsigned i = 0; i < s->n && !ret; i++) {
		const struct sets_experiment *e = &s->list[i];

		ret = experiment_plots(f, s, e);
		/* Set 4 is in the list once for each way of reading. This is the last way
		 * (two-phase). If it has results, all ways have results. */
		if (!ret && s->how.each_way && e->kind == SETS_SIEVING &&
		    e->cases[0].regions.shared && has_metric(e, SETS_TIME))
			ret = ways_plot(f, e - (SETS_WAYS - 1));
	}
	return ret;
}
