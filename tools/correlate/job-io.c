// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/correlate/job-io.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/need.h"
#include "user/base/num.h"

#define NAMED 5 /* maximum number of jobs that the note names */

double job_io_median(const struct timed_jobs *jobs, int k, bool selected, u32 *n)
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

u32 job_io_different(const struct timed_jobs *jobs, u32 *list)
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
		if (differs && list)
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

/* ---- coverage ---- */

static int find_series_column(const struct series *s, const char *name)
{
	for (u32 c = 0; c < s->columns_n; c++)
		if (!strcmp(s->columns[c].name, name))
			return c;
	return -1;
}

/* Adds the bytes that a job does in the piece of time from @first_s to @last_s to the intervals.
 * @rate: bytes per second. A piece without length has all bytes of the job, @all. */
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

/* Spreads the bytes of a job evenly over the times in which it did I/O. If these are unknown,
 * spreads them over the time from its start to its end. */
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

struct coverage coverage_of(const struct timed_jobs *jobs, const struct series *s)
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

void coverage_release(struct coverage *c)
{
	free(c->system_bytes);
	free(c->jobs_bytes);
}
