// SPDX-License-Identifier: GPL-2.0-or-later
/* Plots of `characterize`: bytes over time, in total and per server, and request sizes. With
 * --jobs: cumulative distributions of the criteria over the jobs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/plot.h"
#include "tools/report/html.h"
#include "tools/characterize/spreads.h"
#include "tools/characterize/criteria.h"
#include "tools/characterize/character-json.h"
#include "tools/characterize/job-html.h"
#include "tools/characterize/surface.h"

#define COLUMNS_MOST 1000
#define SERVERS_MOST 40
#define POINTS_MOST 1000

static const char *const colours[DIRECTIONS] = { "#1b9e77", "#d95f02", "#7570b3" };

static u32 intervals_per_column(const struct counters *c)
{
	return c->n / COLUMNS_MOST + 1;
}

/* Returns the bytes per second at x position @column of the plot. One x position may stand for
 * several intervals. @server points to the number of a server. If @server is NULL, returns the sum
 * over all servers. */
static double column_rate(const struct counters *c, const u32 *server, enum direction d, u32 column)
{
	u32 k = intervals_per_column(c), from = column * k, to = c->n - from < k ? c->n : from + k;
	double bytes = 0;

	for (u32 i = from; i < to; i++) {
		struct moved m = server ? *counters_cell(c, *server, i) :
					  counters_of_interval(c, i);

		bytes += moved_bytes(&m, d);
	}
	return bytes / ((to - from) * (c->interval_ns / 1e9));
}

static u32 columns_n(const struct counters *c)
{
	return (c->n + intervals_per_column(c) - 1) / intervals_per_column(c);
}

static int plot_rates(FILE *f, const struct character *c)
{
	struct time_axis x = time_axis(c->elapsed_ns);
	double width = intervals_per_column(&c->counters) * (c->counters.interval_ns / x.ns),
	       most = 0;
	char title[96], buf[NUM_TEXT];
	struct plot p;
	FILE *script;

	snprintf(title, sizeof(title), "%s: bytes per second, in intervals of %s", c->layer,
		 num_time_arg(buf, intervals_per_column(&c->counters) * c->counters.interval_ns));
	script = plot_begin(&p, 240, title);
	if (!script)
		return -EIO;
	time_axis_commands(script, &x);
	fprintf(script, "$D << EOD\n");
	for (u32 i = 0; i < columns_n(&c->counters); i++) {
		double v[DIR_BOTH];

		for (int d = 0; d < DIR_BOTH; d++) {
			v[d] = column_rate(&c->counters, NULL, d, i);
			most = fmax(most, v[d]);
		}
		for (int edge = 0; edge < 2; edge++)
			fprintf(script, "%.15g %.15g %.15g\n", (i + edge) * width, v[DIR_READ],
				v[DIR_WRITE]);
	}
	fprintf(script, "EOD\n");
	plot_scale(script, "y", 0, most * 1.05, true);
	for (int d = 0; d < DIR_BOTH; d++)
		fprintf(script,
			"%s $D using 1:%d with lines linewidth 1.5 linecolor rgb '%s' title "
			"'%s'",
			d ? "," : "plot", d + 2, colours[d], direction_names[d]);
	fputc('\n', script);
	return plot_end(&p, f);
}

/* Returns an image of the bytes per second, with a row for each of the first @n servers and a
 * column for each x position. Sets *@most to the largest rate. */
static struct plot_image servers_image(const struct counters *c, u32 n, double *most)
{
	struct plot_image image = plot_image_new(columns_n(c), n);

	*most = 0;
	for (u32 s = 0; s < n; s++)
		for (u32 i = 0; i < columns_n(c); i++) {
			double v = column_rate(c, &s, DIR_BOTH, i);

			if (v > 0)
				image.cells[s * image.columns + i] = v;
			*most = fmax(*most, v);
		}
	return image;
}

static int plot_servers(FILE *f, const struct character *c)
{
	const struct counters *counters = &c->counters;
	u32 n = counters->servers_n < SERVERS_MOST ? counters->servers_n : SERVERS_MOST;
	struct time_axis x = time_axis(c->elapsed_ns);
	double width = intervals_per_column(counters) * (counters->interval_ns / x.ns), most;
	struct plot_image image;
	char title[96];
	struct plot p;
	FILE *script;

	snprintf(title, sizeof(title), "%s: bytes per second of each server%s", c->layer,
		 n < counters->servers_n ? " (the first 40)" : "");
	script = plot_begin(&p, 170 + 18 * n, title);
	if (!script)
		return -EIO;
	time_axis_commands(script, &x);
	image = servers_image(counters, n, &most);
	fprintf(script, "set lmargin %d\nset yrange [-0.5:%u.5]\nunset key\n" PLOT_PALETTE,
		HTML_NAME + 2, n - 1);
	plot_scale(script, "cb", 0, most, true);
	fprintf(script, "set ytics (");
	for (u32 s = 0; s < n; s++) {
		char *name = need(strdup(counters->servers[s].name));

		html_shorten(name);
		plot_tic(script, name, s);
		fputs(s + 1 < n ? ", " : ")\n", script);
		free(name);
	}
	plot_image(script, &image, width / 2, width, 0, 1);
	return plot_end(&p, f);
}

static int plot_sizes(FILE *f, const struct job *j)
{
	struct picture *pic = need(calloc(1, sizeof(*pic)));
	int ret;

	for (int layer = 0; layer < LAYERS; layer++) {
		const struct requests *r = j->of[layer].requests;

		for (int d = 0; d < DIR_BOTH && r; d++) {
			memcpy(pic->sizes[layer][d], r->sizes[d].classes,
			       sizeof(pic->sizes[layer][d]));
		}
	}
	_Static_assert(SIZE_CLASSES == SIZES_CLASSES, "the same classes");
	ret = html_sizes(f, pic);
	free(pic);
	return ret;
}

static void spread_data(FILE *script, const struct spread *s)
{
	u32 step = s->n / POINTS_MOST + 1;

	for (u32 i = 0; i < s->n; i += step)
		fprintf(script, "%.6g %.6g\n", s->at[i], (i + 1.0) / s->n);
	if (s->n)
		fprintf(script, "%.6g 1\n", s->at[s->n - 1]);
	fprintf(script, s->n ? "EOD\n" : "NaN NaN\nEOD\n");
}

struct page {
	FILE *f;
	struct spreads *spreads;
	int ret;
};

/* Plots how the values of criterion @what are distributed over the jobs of a log. @t is the index
 * of the threshold in c->thresholds. */
static void plot_spread(void *to, const struct character *c, const struct criterion *what, u32 t)
{
	struct page *page = to;
	const struct spread *s;
	struct plot p;
	FILE *script;
	char *title;

	if (!what->by_threshold)
		return;
	s = &page->spreads->of[page->spreads->n++ * DIRECTIONS];
	if (!what->is_fraction || page->ret)
		return;
	title = criterion_title(c, what, t);
	script = plot_begin(&p, 220, title);
	free(title);
	page->ret = script ? 0 : -EIO;
	if (!script)
		return;
	for (int d = 0; d < DIR_BOTH; d++) {
		fprintf(script, "$L%d << EOD\n", d);
		spread_data(script, &s[d]);
	}
	fprintf(script, "set xrange [0:1]\nset yrange [0:1]\nset ylabel 'fraction of jobs'\n");
	for (int d = 0; d < DIR_BOTH; d++)
		fprintf(script,
			"%s $L%d using 1:2 with steps linewidth 1.5 linecolor rgb '%s' "
			"title '%s'",
			d ? "," : "plot", d, colours[d], direction_names[d]);
	fputc('\n', script);
	page->ret = plot_end(&p, page->f);
}

static int plot_jobs(FILE *f, const struct job *j)
{
	struct spreads s = spreads_of(j);
	struct page page = { .f = f, .spreads = &s };

	fprintf(f, "<h2>Jobs with at most the value on the x axis</h2>\n");
	if (s.rows)
		criteria_each(job_examined(j), &page, plot_spread);
	spreads_release(&s);
	return page.ret;
}

static int plot_layer(FILE *f, const struct character *c)
{
	int ret;

	if (!c->layer || !c->counters.n || !c->counters.servers_n)
		return 0;
	ret = plot_rates(f, c);
	if (!ret && c->counters.servers_n > 1)
		ret = plot_servers(f, c);
	return ret ?: surface_html(f, c);
}

int job_plots(FILE *f, const void *job)
{
	const struct job *j = job;
	int ret = 0;

	for (int i = 0; i < JOB_LAYERS && !ret; i++)
		ret = plot_layer(f, &j->of[i]);
	if (!ret)
		ret = plot_sizes(f, j);
	if (!ret && j->jobs)
		ret = plot_jobs(f, j);
	return ret;
}
