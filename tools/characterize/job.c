// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the input of `characterize`, which is traces or a log of counters of I/O servers. */
#include "tools/characterize/job.h"
#include "tools/characterize/job-traces.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "user/base/err.h"
#include "user/trace/format.h"
#include "tools/characterize/counters-csv.h"

/* Returns true if @path is a log of counters. A trace is recognized by its magic number. A missing
 * file is treated as a trace, because the first file of a split trace may have been removed. Stdin
 * or a pipe is treated as a log, because a trace must be read twice. */
static bool is_log(const char *path)
{
	char head[8] = "";
	bool trace = true;
	struct stat st;
	FILE *f;

	if (!strcmp(path, "-") || (!stat(path, &st) && !S_ISREG(st.st_mode)))
		return true;
	f = fopen(path, "re");
	if (f) {
		trace = fread(head, 1, sizeof(head), f) == sizeof(head) &&
			!memcmp(head, TRACE_MAGIC, sizeof(head));
		fclose(f);
	}
	return !trace;
}

static int read_log(struct job *j)
{
	struct character *c = &j->of[LAYERS];
	int ret;

	j->log = (struct counters_log){ .interval_ns = j->interval_ns,
					.from_ns = j->from_ns,
					.to_ns = j->to_ns,
					.cumulative = j->cumulative };
	ret = counters_read(&c->counters, j->paths[0], &j->log);
	if (!ret && j->jobs)
		ret = jobs_read(&j->list, j->jobs);
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
		if (!j->jobs)
			character_finish(c);
	}
}

int job_read(struct job *j)
{
	int ret;

	for (char *const *path = j->paths; *path; path++)
		j->is_log |= is_log(*path);
	if (j->is_log && j->needs_trace)
		return error(-EINVAL, "'%s' is no trace of 'iospan record' or 'iospan import'",
			     j->paths[0]);
	if (j->is_log && j->paths[1])
		return error(-EINVAL, "a log of counters must be the only input");
	if (!j->is_log && j->cumulative)
		return error(-EUSAGE, "--cumulative is for counters");
	if (!j->is_log && j->jobs)
		return error(-EUSAGE, "--jobs is for counters");
	ret = j->is_log ? read_log(j) : job_read_traces(j);
	if (!ret)
		finish_layers(j);
	return ret;
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
}
