// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/correlate/job-io-json.h"

#include <math.h>
#include <stdlib.h>

#include "user/base/need.h"
#include "tools/correlate/job-io.h"
#include "tools/correlate/job-sample.h"

#define NS 1e9
#define COVERAGE_MOST 1000 /* maximum number of intervals in the JSON */

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
	return node;
}

static struct out *io_rows_json(const struct timed_jobs *jobs)
{
	struct out *list = out_array();
	u32 n = 0, known = 0;

	for (int k = 0; k < VOLUMES; k++) {
		job_io_median(jobs, k, false, &n);
		known += n > 0;
	}
	if (known)
		out_append(list, io_row_json(jobs, false));
	if (known && jobs->mounts)
		out_append(list, io_row_json(jobs, true));
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

/* Writes the bytes per interval. If there are many intervals, joins successive ones. */
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
		/* A time since 1970 in ns exceeds the 53 bits of a double. */
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

/* Writes the pairs of equation 8: for each job the I/O times, and the amounts of the system. */
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
