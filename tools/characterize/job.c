// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the input of `characterize`, which is traces or a log of counters, and computes the results
 * of each layer. With --jobs, computes the results of each job. */
#include "tools/characterize/job.h"
#include "tools/characterize/job-traces.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "user/base/err.h"
#include "user/trace/format.h"
#include "tools/characterize/counters-read.h"
#include "tools/characterize/criteria.h"
#include "tools/input/prometheus.h"

/* Returns true if @path is a log of counters. A trace is recognized by its magic number. A missing
 * file is treated as a trace, because the first file of a split trace may have been removed. Stdin
 * or a pipe is treated as a log, because a trace must be read twice. */
static bool is_log(const char *path)
{
	char head[8] = "";
	bool trace = true;
	struct stat st;
	FILE *f;

	if (prometheus_is_url(path) || !strcmp(path, "-") ||
	    (!stat(path, &st) && !S_ISREG(st.st_mode)))
		return true;
	f = fopen(path, "re");
	if (f) {
		trace = fread(head, 1, sizeof(head), f) == sizeof(head) &&
			!memcmp(head, TRACE_MAGIC, sizeof(head));
		fclose(f);
	}
	return !trace;
}

/* Returns the time range to ask Prometheus for: from the start of the first job to the end of the
 * last job. Without --jobs, the range is unknown (NaN). */
static struct prometheus_range asked_range(const struct job *j)
{
	struct prometheus_range r = { NAN, NAN, j->interval_ns ? j->interval_ns / 1e9 : NAN };

	for (u32 i = 0; i < j->list.n; i++) {
		r.start_s = fmin(r.start_s, j->list.at[i].start_ns / 1e9);
		r.end_s = fmax(r.end_s, j->list.at[i].end_ns / 1e9);
	}
	/* The increase of a counter needs a sample before the range, so the range starts one step
	 * earlier. */
	r.start_s -= r.step_s;
	return r;
}

static int read_log(struct job *j)
{
	struct character *c = &j->of[LAYERS];
	struct prometheus_range range = asked_range(j);
	int ret;

	j->log = (struct counters_log){ .interval_ns = j->interval_ns,
					.from_ns = j->from_ns,
					.to_ns = j->to_ns,
					.cumulative = j->cumulative };
	ret = counters_read(&c->counters, j->paths[0], &j->log, &range);
	if (ret)
		return ret;
	c->layer = "servers";
	j->begin_ns = c->counters.start_ns;
	j->elapsed_ns = j->log.elapsed_ns;
	return 0;
}

static void finish_layers(struct job *j)
{
	for (int i = 0; i < JOB_LAYERS; i++) {
		struct character *c = &j->of[i];

		if (!c->layer)
			continue;
		c->begin_ns = j->begin_ns;
		c->elapsed_ns = j->elapsed_ns;
		c->losses = evidence_losses(&j->evidence, i);
		memcpy(c->thresholds, j->thresholds, sizeof(c->thresholds));
		c->thresholds_n = j->thresholds_n;
		if (!j->jobs || !j->is_log)
			character_finish(c);
	}
}

int job_read(struct job *j)
{
	int ret;

	for (char *const *path = j->paths; *path; path++)
		j->is_log |= is_log(*path);
	if (j->is_log && j->for_forecast)
		return error(-EINVAL, "'%s' is no trace of 'iospan record' or 'iospan import'",
			     j->paths[0]);
	if (j->is_log && j->paths[1])
		return error(-EINVAL, "a log of counters must be the only input");
	if (j->is_log && memcmp(&j->filter, &TRACE_FILTER_ALL, sizeof(j->filter)) != 0)
		return error(-EUSAGE, "filters and --layers are for traces");
	if (!j->is_log && j->cumulative)
		return error(-EUSAGE, "--cumulative is for counters");
	ret = j->jobs ? jobs_read(&j->list, j->jobs) : 0;
	if (!ret)
		ret = j->is_log ? read_log(j) : job_read_traces(j);
	if (!ret)
		finish_layers(j);
	return ret;
}

const struct character *job_examined(const struct job *j)
{
	for (int i = 0; i < JOB_LAYERS; i++)
		if (j->of[i].layer &&
		    (j->jobs && j->is_log ? true : criteria_bytes(&j->of[i], DIR_BOTH, 0) > 0))
			return &j->of[i];
	return NULL;
}

/* Sets @one to the input and options for one job @of in the traces of @j. Returns false if the job
 * is entirely before or after the traces. */
static bool select_job(struct job *one, const struct job *j, const struct job_range *of)
{
	u64 begin_ns = j->begin_ns + j->epoch_ns, from_ns = begin_ns + j->from_ns;

	*one = (struct job){ .paths = j->paths,
			     .interval_ns = j->interval_ns,
			     .small = j->small,
			     .filter = j->filter,
			     .thresholds_n = j->thresholds_n,
			     .is_part = true };
	memcpy(one->thresholds, j->thresholds, sizeof(one->thresholds));
	if (*of->cgroup)
		one->filter.text[TRACE_GROUP] = of->cgroup;
	if (of->end_ns <= from_ns || of->start_ns >= from_ns + j->elapsed_ns)
		return false;
	one->from_ns = of->start_ns > from_ns ? of->start_ns - begin_ns : j->from_ns;
	one->to_ns = of->end_ns - begin_ns;
	if (j->to_ns && j->to_ns < one->to_ns)
		one->to_ns = j->to_ns;
	return true;
}

static void each_traced(const struct job *j, struct jobs_result *result,
			void (*fn)(void *arg, const struct character *c), void *arg)
{
	const struct character *examined = job_examined(j);
	int layer = examined ? examined - j->of : 0;

	for (u32 i = 0; i < j->list.n; i++) {
		struct job one;
		struct character *c = &one.of[layer];

		if (select_job(&one, j, &j->list.at[i]) && !job_read_traces(&one) && c->layer) {
			finish_layers(&one);
			c->layer = j->list.at[i].name;
			fn(arg, c);
		} else {
			result->outside++;
		}
		job_release(&one);
	}
}

void job_each(const struct job *j, struct jobs_result *result,
	      void (*fn)(void *arg, const struct character *c), void *arg)
{
	if (j->is_log)
		jobs_each(&j->list, &j->of[LAYERS], result, fn, arg);
	else
		each_traced(j, result, fn, arg);
}

void job_release(struct job *j)
{
	for (int i = 0; i < JOB_LAYERS; i++)
		character_release(&j->of[i]);
	jobs_release(&j->list);
	evidence_release(&j->evidence);
	cover_release(&j->waiting);
	cover_release(&j->working);
	cover_release(&j->either);
	cover_release(&j->syncing);
}
