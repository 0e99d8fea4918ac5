// SPDX-License-Identifier: GPL-2.0-or-later
/* Plots rates over time, and the distribution of access sizes. A slice is one of the equal parts
 * of the time, with sums of its accesses; the last slice may be shorter. A size class is the sizes
 * from one power of two to the next. */
#include <math.h>

#include "user/base/num.h"
#include "user/base/plot.h"
#include "tools/report/html.h"

static const char *const colours[LAYERS] = { "#1b9e77", "#7570b3", "#d95f02" };
/* Width of the line of each layer. The device layer is drawn last, over the other lines. So the
 * lines of higher layers are wider, to remain visible. */
static const double widths[LAYERS] = { 5, 3, 1.2 };

struct time_axis time_axis(u64 elapsed_ns)
{
	static const struct time_axis units[] = {
		{ "ns", 1, 0 },
		{ "us", 1e3, 0 },
		{ "ms", 1e6, 0 },
		{ "s", 1e9, 0 },
	};
	struct time_axis x = units[0];

	for (int i = 1; i < 4 && elapsed_ns > 10 * units[i].ns; i++)
		x = units[i];
	x.end = elapsed_ns ? elapsed_ns / x.ns : 1;
	return x;
}

void time_axis_commands(FILE *script, const struct time_axis *x)
{
	fprintf(script, "set xrange [0:%.15g]\n", x->end);
	plot_time(script, x->unit);
}

struct curve {
	const char *title;
	bool binary; /* true if the axis has the prefixes Ki, Mi, ... */
	/* Returns the value to draw for slice @s, which lasts @ns nanoseconds. Returns NaN if the
	 * slice has no value. */
	double (*value)(const struct slice *s, double ns);
};

static double slice_bps(const struct slice *s, double ns)
{
	return s->span_ns ? s->bytes / 512.0 / (s->span_ns / 1e9) : NAN;
}

static double slice_iops(const struct slice *s, double ns)
{
	return s->accesses / (ns / 1e9);
}

static double slice_bandwidth(const struct slice *s, double ns)
{
	return s->bytes / (ns / 1e9);
}

static double slice_concurrency(const struct slice *s, double ns)
{
	return s->span_ns ? (double)s->flight_ns / s->span_ns : NAN;
}

static const struct curve curves[] = {
	{ "BPS: blocks of 512 bytes per second of T", false, slice_bps },
	{ "IOPS: accesses per second", false, slice_iops },
	{ "bandwidth: bytes per second", true, slice_bandwidth },
	{ "concurrency: accesses in flight, mean over T", false, slice_concurrency },
};

/* Returns slice @i of the @n slices to draw. If count_slices() joined a short last slice to the
 * previous slice, slice @n - 1 includes the short slice. */
static struct slice drawn_slice(const struct timeline *t, u32 i, u32 n)
{
	struct slice s = i < t->n ? t->slices[i] : (struct slice){};

	if (i + 1 == n && i + 1 < t->n)
		slice_add(&s, &t->slices[i + 1]);
	return s;
}

/* Returns the number of slices to draw until @end, in ns from the start. If the last slice is
 * shorter than half the width, it is joined to the previous slice. Otherwise, a few accesses in a
 * very short slice would give a high rate, which would dominate the plot. */
static u32 count_slices(const struct timeline *t, double end)
{
	u32 n = end / t->width_ns;

	return end - (double)n * t->width_ns > t->width_ns / 2.0 || !n ? n + 1 : n;
}

/* Prints each slice as a horizontal line, or as a gap if it has no value. Returns the greatest
 * value. */
static double print_curve(FILE *script, const struct curve *c, const struct timeline *t, int layer,
			  const struct time_axis *x)
{
	double end = x->end * x->ns, most = 0;
	u32 n = count_slices(t, end);

	fprintf(script, "$L%d << EOD\n", layer);
	for (u32 i = 0; i < n; i++) {
		struct slice s = drawn_slice(t, i, n);
		double from = (double)i * t->width_ns, to = i + 1 < n ? from + t->width_ns : end;
		double v = c->value(&s, to - from);

		if (isnan(v))
			fprintf(script, "\n");
		else
			fprintf(script, "%.15g %.15g\n%.15g %.15g\n", from / x->ns, v, to / x->ns,
				v);
		most = fmax(most, v);
	}
	fprintf(script, "%.15g NaN\nEOD\n", x->end);
	return most;
}

static int plot_curve(FILE *f, const struct report_run *r, const struct curve *c)
{
	struct time_axis x = time_axis(r->elapsed_ns);
	const char *between = "plot";
	double most = 0;
	struct plot p;
	FILE *script = plot_begin(&p, 240, c->title);

	if (!script)
		return -EIO;
	time_axis_commands(script, &x);
	for (int layer = 0; layer < LAYERS; layer++)
		if (r->picture->layers[layer].n)
			most = fmax(most,
				    print_curve(script, c, &r->picture->layers[layer], layer, &x));
	plot_scale(script, "y", 0, most * 1.05, c->binary);
	for (int layer = 0; layer < LAYERS; layer++) {
		if (!r->picture->layers[layer].n)
			continue;
		fprintf(script,
			"%s $L%d using 1:2 with lines linewidth %g linecolor rgb '%s' title '%s'",
			between, layer, widths[layer], colours[layer], layer_names[layer]);
		between = ",";
	}
	fputc('\n', script);
	return plot_end(&p, f);
}

/* Sets the range of the size classes that have accesses, from *@first to *@end - 1. Sets has[i] if
 * layer i / 2 and operation i % 2 has accesses. Returns the largest number of accesses. */
static double size_range(const struct picture *p, u32 *first, u32 *end, bool has[LAYERS * 2])
{
	double most = 0;

	*first = SIZE_CLASSES;
	*end = 0;
	for (u32 i = 0; i < LAYERS * 2; i++)
		for (u32 class = 0; class < SIZE_CLASSES; class ++) {
			u64 n = p->sizes[i / 2][i % 2][class];

			if (!n)
				continue;
			has[i] = true;
			most = fmax(most, n);
			*first = class < *first ? class : *first;
			*end = class + 1 > *end ? class + 1 : *end;
		}
	return most;
}

int html_sizes(FILE *f, const struct picture *pic)
{
	const char *between = "plot";
	struct plot p;
	u32 first, end, every;
	char label[NUM_TEXT];
	bool has[LAYERS * 2] = {};
	double most = size_range(pic, &first, &end, has);
	FILE *script;

	if (first >= end) /* gnuplot fails if there is nothing to plot */
		return 0;
	script = plot_begin(&p, 260, "access sizes: lower bound of each class, bytes");
	if (!script)
		return -EIO;
	/* label every n-th class, so that there are at most 16 labels */
	every = (end - first) / 16 + 1;
	fprintf(script, "set rmargin 20\nset style data histograms\nset xtics scale 0\n");
	plot_scale(script, "y", 0, most * 1.05, false);
	fprintf(script, "$D << EOD\n");
	for (u32 class = first; class < end; class ++) {
		fprintf(script, "\"%s\"",
			(class - first) % every ?
				"" :
				plot_label(label, class ? exp2(class - 1) : 0, true));
		for (int i = 0; i < LAYERS * 2; i++)
			fprintf(script, " %llu",
				(unsigned long long)pic->sizes[i / 2][i % 2][class]);
		fputc('\n', script);
	}
	fprintf(script, "EOD\n");
	for (int i = 0; i < LAYERS * 2; i++) {
		if (!has[i])
			continue;
		fprintf(script,
			"%s $D using %d:xtic(1) linecolor rgb '%s' fillstyle solid %s "
			"title '%s %s'",
			between, i + 2, colours[i / 2], i % 2 ? "0.4" : "1.0", layer_names[i / 2],
			i % 2 ? "write" : "read");
		between = ",";
	}
	fputc('\n', script);
	return plot_end(&p, f);
}

static int html_plots(FILE *f, const struct report_run *r)
{
	int ret = 0;

	for (size_t i = 0; i < sizeof(curves) / sizeof(*curves) && !ret; i++)
		ret = plot_curve(f, r, &curves[i]);
	return ret ? ret : html_sizes(f, r->picture);
}

/* ---- all plots ---- */

/* Lowers the resolution of the plots if there are few accesses: to one slice per four accesses, but
 * not below 24 slices. A plot never has more than PICTURE_COLUMNS slices. */
static void fit_resolution(const struct report_run *r)
{
	struct picture *p = r->picture;
	u64 n = r->input.accesses / 4;
	u32 slices = n < 24 ? 24 : n < PICTURE_COLUMNS ? n : PICTURE_COLUMNS;
	u32 columns = slices < 64 ? 64 : slices, rows = slices < 256 ? slices : 256;
	u64 width_ns = r->elapsed_ns / PICTURE_COLUMNS + 1;

	for (int layer = 0; layer < LAYERS; layer++) {
		timeline_narrow(&p->layers[layer], slices, width_ns);
		grid_narrow(&p->latencies[layer], columns, width_ns, LATENCY_ROWS);
		for (u32 process = 0; process < PICTURE_BARS; process++)
			timeline_narrow(picture_bar(p, process, layer), PICTURE_COLUMNS, width_ns);
	}
	for (u32 i = 0; i < p->maps_n; i++)
		grid_narrow(&p->maps[i]->grid, columns, width_ns, rows);
}

int html_report(FILE *f, const void *run)
{
	const struct report_run *r = run;
	int ret;

	fit_resolution(r);
	if (!r->picture->layers[LAYER_APP].n && !r->picture->layers[LAYER_VFS].n &&
	    !r->picture->layers[LAYER_DEVICE].n) {
		fputs("<p>There are no reads or writes.</p>\n", f);
		return 0;
	}
	fputs("<h2>Over time</h2>\n", f);
	ret = html_plots(f, r);
	if (ret)
		return ret;
	fputs("<h2>When, who, where</h2>\n", f);
	return html_bars(f, r) ?: html_maps(f, r);
}
