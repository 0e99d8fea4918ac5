// SPDX-License-Identifier: GPL-2.0-or-later
/* Computes and plots the burstiness rho for several interval lengths and thresholds. rho is near 1
 * if bursts of I/O are short and far apart, and 0 if no interval is idle (burst.h). A cell has the
 * counters of one server in one interval. */
#include "tools/characterize/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/plot.h"
#include "tools/characterize/criteria.h"

#define THRESHOLD_FIRST 4096
#define THRESHOLD_STEP 8
/* An interval length is left out if it has more cells than this, because the computation would take
 * long. */
#define CELLS_MOST (1U << 20)

/* Makes @to from the counters @c: each @k successive intervals become one interval. */
static void join_intervals(struct counters *to, const struct counters *c, u32 k)
{
	counters_init(to, c->start_ns, c->interval_ns * k);
	for (u32 s = 0; s < c->servers_n; s++) {
		const struct server *of = &c->servers[s];

		counters_server(to, of->name);
		for (u32 i = 0; i < of->n; i++) {
			struct moved *cell = counters_make_cell(to, s, i / k);

			for (int n = 0; cell && n < COUNTERS; n++)
				cell->of[n] += of->cells[i].of[n];
		}
	}
	to->n = (c->n + k - 1) / k;
}

static u128 largest_cell(const struct counters *c)
{
	u128 most = 0;

	for (u32 s = 0; s < c->servers_n; s++)
		for (u32 i = 0; i < c->servers[s].n; i++) {
			u128 bytes = moved_bytes(&c->servers[s].cells[i], DIR_BOTH);

			most = bytes > most ? bytes : most;
		}
	return most;
}

static void add_width(struct surface *to, const struct counters *c)
{
	u32 w = to->widths_n++;

	to->widths_ns[w] = c->interval_ns;
	for (u32 t = 0; t < to->thresholds_n; t++)
		for (int d = 0; d < DIRECTIONS; d++) {
			struct burst b = counters_burst(c, d, to->thresholds[t]);

			to->rho[w][t][d] = burst_rho(&b);
		}
}

struct surface *surface_of(const struct counters *c)
{
	struct surface *to = need(calloc(1, sizeof(*to)));
	u128 most = largest_cell(c);
	u64 threshold = 0;

	while (to->thresholds_n < SURFACE_THRESHOLDS && threshold <= most) {
		to->thresholds[to->thresholds_n++] = threshold;
		threshold = threshold ? threshold * THRESHOLD_STEP : THRESHOLD_FIRST;
	}
	for (u64 k = 1; to->widths_n < SURFACE_WIDTHS && c->n / k >= SURFACE_INTERVALS;
	     k = num_next_step(k)) {
		struct counters joined;

		if (c->n / k * c->servers_n > CELLS_MOST)
			continue;
		join_intervals(&joined, c, k);
		add_width(to, &joined);
		counters_release(&joined);
	}
	return to;
}

/* Returns rho computed from the exact busy and idle periods. NaN: the input is a log of counters,
 * which has no accesses. */
static double exact_rho(const struct character *c)
{
	for (const struct criterion *what = criteria_patterns; what->key; what++)
		if (!strcmp(what->key, "rho_exact"))
			return what->value(c, DIR_BOTH, 0);
	return NAN;
}

/* Writes the labels of both axes: the interval lengths and the thresholds. If @first is 1, the
 * first column has the label "exact". */
static void width_tics(FILE *script, const struct surface *s, u32 first)
{
	char buf[NUM_TEXT];

	fputs("set xtics rotate by 30 right (", script);
	if (first)
		plot_tic(script, "exact", 0);
	for (u32 w = 0; w < s->widths_n; w++) {
		fputs(first || w ? ", " : "", script);
		plot_tic(script, num_time_arg(buf, s->widths_ns[w]), w + first);
	}
	fputs(")\nset ytics (", script);
	for (u32 t = 0; t < s->thresholds_n; t++) {
		fputs(t ? ", " : "", script);
		plot_tic(script, num_size_arg(buf, s->thresholds[t]), t);
	}
	fputs(")\n", script);
}

static struct plot_image surface_image(const struct surface *s, u32 first, double exact)
{
	struct plot_image image = plot_image_new(s->widths_n + first, s->thresholds_n);

	if (first)
		image.cells[0] = exact;
	for (u32 t = 0; t < s->thresholds_n; t++)
		for (u32 w = 0; w < s->widths_n; w++)
			image.cells[t * image.columns + w + first] = s->rho[w][t][DIR_BOTH];
	return image;
}

int surface_html(FILE *f, const struct character *c)
{
	struct surface *s = surface_of(&c->counters);
	double exact = exact_rho(c);
	u32 first = !isnan(exact);
	struct plot_image image;
	char title[96];
	struct plot p;
	FILE *script;

	if (!s->widths_n) {
		free(s);
		return 0;
	}
	snprintf(title, sizeof(title), "%s: burstiness rho, by interval length and threshold c",
		 c->layer);
	script = plot_begin(&p, 220 + 24 * s->thresholds_n, title);
	if (script) {
		image = surface_image(s, first, exact);
		fprintf(script,
			"set xrange [-0.5:%u.5]\nset yrange [-0.5:%u.5]\nset bmargin 5\n"
			"set xlabel 'interval length'\nset ylabel 'c, bytes'\nset cblabel 'rho'\n"
			"unset key\n" PLOT_PALETTE,
			s->widths_n + first - 1, s->thresholds_n - 1);
		plot_scale(script, "cb", 0, 1, false);
		width_tics(script, s, first);
		plot_image(script, &image, 0, 1, 0, 1);
	}
	free(s);
	return script ? plot_end(&p, f) : -EIO;
}
