// SPDX-License-Identifier: GPL-2.0-or-later
/* Plots a comparison of two systems, A and B. The sweep is the curve over uniqueBytes. */
#include "bench/compare/compare-html.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "bench/compare/compare.h"
#include "user/base/num.h"
#include "user/base/plot.h"

#define SWEEP_HEIGHT 380
#define RATIO_HEIGHT 600

/* Writes the points of the sweep of @m to the gnuplot block @name. Widens @x and @y to contain
 * them. */
static void sweep_data(FILE *s, const char *name, const struct model *m, struct range *x,
		       struct range *y)
{
	fprintf(s, "$%s << EOD\n", name);
	for (unsigned i = 0; i < m->sweep.n; i++) {
		const struct point *p = &m->sweep.points[i];

		*x = range_with(*x, p->at.v[PARAM_UNIQUE_BYTES]);
		*y = range_with(*y, p->value[QUANTITY_BANDWIDTH]);
		fprintf(s, "%.15g %.15g\n", p->at.v[PARAM_UNIQUE_BYTES],
			p->value[QUANTITY_BANDWIDTH]);
	}
	fprintf(s, "EOD\n");
}

static int sweeps_html(FILE *f, const struct comparison *c)
{
	struct range x = { HUGE_VAL, 0 }, y = { HUGE_VAL, 0 };
	struct plot p;
	FILE *s;

	if (!c->a->sweep.n || !c->b->sweep.n)
		return 0;
	fputs("<h2>Bandwidth of both systems by unique bytes</h2>\n", f);
	s = plot_begin(&p, SWEEP_HEIGHT, "bytes per second by unique bytes");
	if (!s)
		return -EIO;
	sweep_data(s, "A", c->a, &x, &y);
	sweep_data(s, "B", c->b, &x, &y);
	fputs(PLOT_KEY_BELOW, s);
	plot_log_scale(s, "x", x.min, x.max, 10);
	plot_log_scale(s, "y", y.min / 1.5, y.max * 1.5, 8);
	fputs("plot $A using 1:2 with linespoints linewidth 2 pointtype 7 pointsize 0.4 "
	      "linecolor rgb '#1f77b4' title 'A', "
	      "$B using 1:2 with linespoints linewidth 2 pointtype 7 pointsize 0.4 "
	      "linecolor rgb '#d62728' title 'B'\n",
	      s);
	return plot_end(&p, f);
}

/* Returns the result of workload @w in the validation of @m; NULL: @w was not measured. */
static const struct seen *seen_at(const struct model *m, const struct workload *w)
{
	for (unsigned i = 0; i < m->seen_n; i++)
		if (!memcmp(&m->seen[i].at, w, sizeof(*w)) && m->seen[i].measured > 0)
			return &m->seen[i];
	return NULL;
}

/* Writes the gnuplot block $R: the predicted and the measured ratio of the bandwidths A / B, for
 * each workload that was measured on both systems. Widens @r to contain these ratios. Returns the
 * number of workloads. */
static unsigned ratio_data(FILE *s, const struct comparison *c, struct range *r)
{
	unsigned n = 0;

	fprintf(s, "$R << EOD\n");
	for (unsigned i = 0; i < c->a->seen_n; i++) {
		const struct seen *a = &c->a->seen[i], *b = seen_at(c->b, &a->at);
		double predicted, measured;

		if (!b || !(a->measured > 0))
			continue;
		predicted = a->predicted / b->predicted;
		measured = a->measured / b->measured;
		*r = range_with(range_with(*r, predicted), measured);
		fprintf(s, "%.15g %.15g\n", predicted, measured);
		n++;
	}
	fprintf(s, "EOD\n");
	return n;
}

static bool both_measured(const struct comparison *c)
{
	for (unsigned i = 0; i < c->a->seen_n; i++)
		if (c->a->seen[i].measured > 0 && seen_at(c->b, &c->a->seen[i].at))
			return true;
	return false;
}

static int ratios_html(FILE *f, const struct comparison *c)
{
	struct range r = { HUGE_VAL, 0 };
	struct plot p;
	unsigned n;
	FILE *s;

	if (!both_measured(c))
		return 0;
	fputs("<h2>Predicted and measured ratios</h2>\n", f);
	s = plot_begin(&p, RATIO_HEIGHT, "A/B: measured (vertical) over predicted (horizontal)");
	if (!s)
		return -EIO;
	n = ratio_data(s, c, &r);
	fputs(PLOT_KEY_BELOW, s);
	fprintf(s,
		"set logscale xy 2\nset format '%%g'\nset xrange [%.15g:%.15g]\n"
		"set yrange [%.15g:%.15g]\n"
		"plot x with lines linecolor rgb '#888888' notitle, "
		"1 with lines dashtype 2 linecolor rgb '#888888' notitle, "
		"$R using 1:2 with points pointtype 7 pointsize 0.5 linecolor rgb '#1f77b4' "
		"title '%u workload%s measured on both systems'\n",
		r.min / 1.5, r.max * 1.5, r.min / 1.5, r.max * 1.5, n, num_word(n, "", "s"));
	return plot_end(&p, f);
}

int comparison_plots(FILE *f, const void *comparison)
{
	const struct comparison *c = comparison;

	return sweeps_html(f, c) ?: ratios_html(f, c);
}
