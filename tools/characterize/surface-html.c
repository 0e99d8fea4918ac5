// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/characterize/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/plot.h"
#include "tools/characterize/criteria.h"

/* Returns rho of the exact periods; NaN: the input is a log of counters. */
static double exact_rho(const struct character *c)
{
	for (const struct criterion *what = criteria_patterns; what->key; what++)
		if (!strcmp(what->key, "rho_exact"))
			return what->value(c, DIR_BOTH, 0);
	return NAN;
}

/* Writes a tic for each column: "exact" if @first is 1, and the interval lengths. */
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
	script = plot_begin(&p, 200 + 24 * s->thresholds_n, title);
	if (script) {
		image = surface_image(s, first, exact);
		fprintf(script,
			"set xrange [-0.5:%u.5]\nset yrange [-0.5:%u.5]\nset bmargin 4\nunset "
			"key\n" PLOT_PALETTE,
			s->widths_n + first - 1, s->thresholds_n - 1);
		plot_scale(script, "cb", 0, 1, false);
		width_tics(script, s, first);
		plot_image(script, &image, 0, 1, 0, 1);
	}
	free(s);
	return script ? plot_end(&p, f) : -EIO;
}
