// SPDX-License-Identifier: GPL-2.0-or-later
/* The I/O that the jobs themselves do: characteristics of the jobs, jobs that differ from most
 * jobs, and the coverage. The coverage is the fraction of the system's I/O that the jobs did. */
#include "tools/correlate/job-io.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/correlate/job-sample.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/plot.h"
#include "user/base/err.h"

#define NS 1e9
#define POINTS_MOST 500	   /* maximum number of intervals in the plot */
#define COVERAGE_MOST 1000 /* maximum number of intervals in the JSON */
/* A job differs from most jobs if its I/O differs from the median by more than this fraction of the
 * median. */
#define JOB_IO_SAME 0.01
#define NAMED 5 /* maximum number of names in a note about jobs that differ from most jobs */

/* Returns the median over the jobs of the volume @k (enum volume). If @selected is true, uses only
 * file systems that the option --mount selects. NaN: the volume is unknown for all jobs. Sets *@n
 * to the number of jobs for which it is known. */
static double job_io_median(const struct timed_jobs *jobs, int k, bool selected, u32 *n)
{
	double *v = need(calloc(jobs->n + 1, sizeof(*v))), median;

	*n = 0;
	for (u32 i = 0; i < jobs->n; i++) {
		const struct timed_job *j = &jobs->list[i];

		v[*n] = (selected ? j->selected : j->all)[k];
		*n += !isnan(v[*n]);
	}
	gsl_sort(v, 1, *n);
	median = *n ? v[(*n - 1) / 2] : NAN;
	free(v);
	return median;
}

/* Returns the number of jobs that differ from most jobs. Stores their indexes in @list, which has
 * room for all jobs. */
static u32 job_io_different(const struct timed_jobs *jobs, u32 *list)
{
	double median[VOLUMES];
	u32 n = 0, known;

	for (int k = 0; k < VOLUMES; k++)
		median[k] = job_io_median(jobs, k, jobs->mounts, &known);
	for (u32 i = 0; i < jobs->n; i++) {
		const double *v = timed_job_volumes(jobs, &jobs->list[i]);
		bool differs = false;

		for (int k = 0; k < VOLUMES; k++)
			differs |= fabs(v[k] - median[k]) > JOB_IO_SAME * median[k];
		if (differs)
			list[n] = i;
		n += differs;
	}
	return n;
}

void job_io_note(struct out *notes, const struct timed_jobs *jobs)
{
	u32 *list = need(calloc(jobs->n + 1, sizeof(*list)));
	u32 n = job_io_different(jobs, list);
	char *names = need_text("%s", ""), *longer;

	for (u32 i = 0; i < n && i < NAMED; i++) {
		longer = need_text("%s%s%s", names, i ? ", " : "", jobs->list[list[i]].name);
		free(names);
		names = longer;
	}
	if (n)
		out_append_strf(
			notes,
			"%u job%s from the median in files, processes or bytes by more than "
			"%.0f %%, which may explain %s I/O time: %s%s",
			n, num_word(n, " differs", "s differ"), 100 * JOB_IO_SAME,
			num_word(n, "its", "their"), names, n > NAMED ? ", ..." : "");
	free(names);
	free(list);
}

/* Bytes that the system moves, and bytes that all jobs move, in each interval of the system
 * data. */
struct coverage {
	u32 n; /* number of intervals; 0: the bytes of the jobs or of the system are unknown */
	double *system_bytes, *jobs_bytes;
	double system_sum, jobs_sum;
};

static int find_series_column(const struct series *s, const char *name)
{
	for (u32 c = 0; c < s->columns_n; c++)
		if (!strcmp(s->columns[c].name, name))
			return c;
	return -1;
}

/* Adds bytes of a job to the intervals between @first_s and @last_s. @rate is the rate of the job
 * in bytes per second. If @first_s equals @last_s, adds @all bytes to one interval. */
static void add_piece(struct coverage *c, const struct series *s, double first_s, double last_s,
		      double rate, double all)
{
	u32 i = series_first(s, first_s);

	if (!(last_s > first_s)) {
		if (i < s->n && s->start_s[i] <= first_s)
			c->jobs_bytes[i] += all;
		return;
	}
	for (; i < s->n && s->start_s[i] < last_s; i++)
		c->jobs_bytes[i] +=
			rate * (fmin(last_s, s->end_s[i]) - fmax(first_s, s->start_s[i]));
}

/* Spreads the bytes of a job evenly over its activities. If these are unknown, spreads the bytes
 * over the time from the start of the job to its end. */
static void add_job_bytes(struct coverage *c, const struct timed_jobs *jobs,
			  const struct timed_job *j, const struct series *s, double bytes)
{
	const struct activity whole = { .first_s = j->start_s, .last_s = j->end_s };
	const struct activity *a = j->n ? &jobs->activities[j->first] : &whole;
	u32 n = j->n ?: 1, moments = 0;
	double long_s = 0;

	for (u32 i = 0; i < n; i++) {
		long_s += a[i].last_s - a[i].first_s;
		moments += a[i].last_s <= a[i].first_s;
	}
	for (u32 i = 0; i < n; i++)
		if (!(long_s > 0) || a[i].last_s > a[i].first_s)
			add_piece(c, s, a[i].first_s, a[i].last_s, bytes / long_s, bytes / moments);
}

static struct coverage coverage_of(const struct timed_jobs *jobs, const struct series *s)
{
	int reads = find_series_column(s, "read_bytes"),
	    writes = find_series_column(s, "write_bytes");
	struct coverage c = {};
	u32 known = 0;

	if (reads < 0 || writes < 0 || jobs->are_pairs)
		return c;
	c.system_bytes = need(calloc(s->n + 1, sizeof(double)));
	c.jobs_bytes = need(calloc(s->n + 1, sizeof(double)));
	for (u32 i = 0; i < jobs->n; i++) {
		const double *v = timed_job_volumes(jobs, &jobs->list[i]);
		double bytes = v[VOLUME_READ] + v[VOLUME_WRITE];

		if (isnan(bytes))
			continue;
		add_job_bytes(&c, jobs, &jobs->list[i], s, bytes);
		known++;
	}
	c.n = known ? s->n : 0;
	for (u32 i = 0; i < c.n; i++) {
		c.system_bytes[i] = s->columns[reads].values[i] + s->columns[writes].values[i];
		c.system_sum += c.system_bytes[i];
		c.jobs_sum += c.jobs_bytes[i];
	}
	return c;
}

static void coverage_release(struct coverage *c)
{
	free(c->system_bytes);
	free(c->jobs_bytes);
}

/* Returns the median over the jobs of each volume (enum volume). If @selected is true, uses only
 * the file systems that the option --mount selects. Returns NULL if the volumes of all jobs are
 * unknown. */
static struct out *io_row_json(const struct timed_jobs *jobs, bool selected)
{
	struct out *node = out_object();
	u32 n, most = 0;

	out_str(node, "file_systems", selected ? jobs->mounts : "all");
	for (int k = 0; k < VOLUMES; k++) {
		out_f64(node, volume_names[k], job_io_median(jobs, k, selected, &n));
		most = n > most ? n : most;
	}
	out_u64(node, "job_count", most);
	if (most)
		return node;
	out_free(node);
	return NULL;
}

static struct out *io_rows_json(const struct timed_jobs *jobs)
{
	struct out *list = out_array();

	for (int selected = 0; selected <= (jobs->mounts ? 1 : 0); selected++) {
		struct out *row = io_row_json(jobs, selected);

		if (row)
			out_append(list, row);
	}
	return list;
}

static struct out *different_json(const struct timed_jobs *jobs)
{
	u32 *indexes = need(calloc(jobs->n + 1, sizeof(*indexes)));
	u32 n = job_io_different(jobs, indexes);
	struct out *list = out_array();

	for (u32 i = 0; i < n; i++) {
		const struct timed_job *j = &jobs->list[indexes[i]];
		struct out *node = out_object();

		out_str(node, "job", j->name);
		for (int k = 0; k < VOLUMES; k++)
			out_f64(node, volume_names[k], timed_job_volumes(jobs, j)[k]);
		out_append(list, node);
	}
	free(indexes);
	return list;
}

/* Lists the bytes per interval. If there are too many intervals for the JSON document, joins
 * successive intervals. */
static struct out *coverage_json(const struct coverage *c, const struct series *s)
{
	struct out *node, *list = out_array();
	u32 step = c->n / COVERAGE_MOST + 1;

	if (!c->n) {
		out_free(list);
		return NULL;
	}
	for (u32 i = 0; i < c->n; i += step) {
		struct out *one = out_object();
		double system = 0, jobs = 0;

		for (u32 k = i; k < i + step && k < c->n; k++) {
			system += c->system_bytes[k];
			jobs += c->jobs_bytes[k];
		}
		/* out_f64() would print a time since 1970 with an exponent */
		if (s->start_s[i] >= 0)
			out_u64(one, "start_ns", llround(s->start_s[i] * NS));
		else
			out_f64(one, "start_ns", s->start_s[i] * NS);
		out_f64(one, "system_bytes", system);
		out_f64(one, "jobs_bytes", jobs);
		out_append(list, one);
	}
	node = out_object();
	out_f64(node, "system_bytes", c->system_sum);
	out_f64(node, "jobs_bytes", c->jobs_sum);
	out_f64(node, "jobs_fraction", c->system_sum > 0 ? c->jobs_sum / c->system_sum : NAN);
	out_put(node, "over_time", list);
	return node;
}

/* Lists for each job its I/O times, and the amounts of I/O of the system (equation 8). */
static struct out *jobs_json(const struct correlation_study *c)
{
	struct out *list = out_array();

	for (u32 i = 0; i < c->jobs->n; i++) {
		const struct timed_job *j = &c->jobs->list[i];
		struct out *node, *amounts;

		if (!timed_job_is_covered(c->jobs, j, c->system))
			continue;
		node = out_object();
		amounts = out_object();
		out_str(node, "job", j->name);
		for (enum form form = 0; form < FORMS; form++) {
			char *key = need_text("%s_ns", form_names[form]);

			out_f64(node, key, job_sample_time(c->jobs, j, c->system, form) * NS);
			free(key);
		}
		for (u32 k = 0; k < c->system->columns_n; k++)
			out_f64(amounts, c->system->columns[k].name,
				job_sample_amount(c->o, c->jobs, j, c->system, k));
		out_put(node, "amounts", amounts);
		out_append(list, node);
	}
	return list;
}

void job_io_json(struct out *doc, const struct correlation_study *c)
{
	struct coverage v = coverage_of(c->jobs, c->system);

	out_put(doc, "job_io", io_rows_json(c->jobs));
	out_put(doc, "different_jobs", different_json(c->jobs));
	out_put(doc, "coverage", coverage_json(&v, c->system));
	out_put(doc, "jobs", jobs_json(c));
	coverage_release(&v);
}

/* Returns the rate in bytes per second over @n intervals, from interval @i on. */
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

int job_io_html(FILE *f, const struct correlation_study *c)
{
	struct coverage v = coverage_of(c->jobs, c->system);
	int ret = v.n ? plot_coverage(f, &v, c->system) : 0;

	coverage_release(&v);
	return ret;
}
