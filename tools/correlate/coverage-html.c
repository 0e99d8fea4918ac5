// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/correlate/coverage-html.h"

#include <math.h>

#include "user/base/err.h"
#include "user/base/plot.h"
#include "tools/correlate/job-io.h"

#define POINTS_MOST 500

/* Returns the rate in bytes per second over @n intervals from interval @i on. */
static double rate_of(const double *bytes, const struct series *s, u32 i, u32 n)
{
	double sum = 0;

	for (u32 k = i; k < i + n; k++)
		sum += bytes[k];
	return sum / (s->end_s[i + n - 1] - s->start_s[i]);
}

static void rates_data(FILE *script, const struct coverage *v, const struct series *s, u32 step)
{
	double most[2] = { 0, 0 };

	for (u32 i = 0; i < v->n; i += step) {
		u32 n = v->n - i < step ? v->n - i : step;

		most[0] = fmax(most[0], rate_of(v->system_bytes, s, i, n));
		most[1] = fmax(most[1], rate_of(v->jobs_bytes, s, i, n));
	}
	fprintf(script, "$V << EOD\n");
	for (u32 i = 0; i < v->n; i += step) {
		u32 n = v->n - i < step ? v->n - i : step;
		double system = rate_of(v->system_bytes, s, i, n) / (most[0] ?: 1);
		double jobs = rate_of(v->jobs_bytes, s, i, n) / (most[1] ?: 1);

		fprintf(script, "%.9g %.9g %.9g\n%.9g %.9g %.9g\n", s->start_s[i] - s->start_s[0],
			system, jobs, s->end_s[i + n - 1] - s->start_s[0], system, jobs);
	}
	fprintf(script, "EOD\n");
}

static int plot_coverage(FILE *f, const struct coverage *v, const struct series *s)
{
	struct plot p;
	FILE *script = plot_begin(&p, 260, "bytes over time, s, each divided by its maximum");

	if (!script)
		return -EIO;
	rates_data(script, v, s, v->n / POINTS_MOST + 1);
	fputs(PLOT_KEY_BELOW, script);
	plot_scale(script, "x", 0, s->end_s[s->n - 1] - s->start_s[0], false);
	plot_scale(script, "y", 0, 1.05, false);
	fprintf(script,
		"plot $V using 1:2 with lines linecolor rgb '#1f77b4' title 'system', $V using 1:3 "
		"with lines linecolor rgb '#d62728' title 'jobs, %.0f %% of the bytes'\n",
		v->system_sum > 0 ? 100 * v->jobs_sum / v->system_sum : 0);
	return plot_end(&p, f);
}

int coverage_html(FILE *f, const struct correlation_study *c)
{
	struct coverage v = coverage_of(c->jobs, c->system);
	int ret = v.n ? plot_coverage(f, &v, c->system) : 0;

	coverage_release(&v);
	return ret;
}

int prediction_html(FILE *f, const struct correlation_study *c)
{
	static const char *const titles[] = { "mean alone", "forest", "median" };
	const struct prediction *of = &c->prediction;
	double most = 0;
	struct plot p;
	FILE *s = plot_begin(&p, 260,
			     "mean error of the predicted I/O time, s, by the number of jobs");

	if (!s)
		return -EIO;
	fprintf(s, "$E << EOD\n");
	for (u32 i = 0; i < of->rows_n; i++) {
		const struct prediction_row *r = &of->rows[i];

		fprintf(s, "%u %.9g %.9g %.9g\n", r->jobs, r->mean_s, r->forest_s, r->median_s);
		most = fmax(fmax(most, r->mean_s), fmax(r->forest_s, r->median_s));
	}
	fprintf(s, "EOD\n" PLOT_KEY_BELOW "set logscale x\naxis_x_log = 1\n");
	plot_scale(s, "y", 0, most * 1.1, false);
	fputs("set xtics (", s);
	for (u32 i = 0; i < of->rows_n; i++)
		fprintf(s, "%s'%u' %u", i ? ", " : "", of->rows[i].jobs, of->rows[i].jobs);
	fprintf(s, ")\nplot [%d:%u] ", PREDICTION_LEAST,
		of->rows_n > 1 ? of->rows[of->rows_n - 1].jobs : 2 * PREDICTION_LEAST);
	for (int k = 0; k < 3; k++)
		fprintf(s, "%s$E using 1:%d with linespoints pointtype 7 pointsize 0.4 title '%s'",
			k ? ", " : "", k + 2, titles[k]);
	fputc('\n', s);
	return plot_end(&p, f);
}
