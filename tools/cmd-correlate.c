// SPDX-License-Identifier: GPL-2.0-or-later
/* The command iospan correlate: shows how the I/O times of jobs depend on the I/O of the whole
 * system. A study is the result of this analysis (struct correlation_study). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "user/cmd.h"
#include "user/base/err.h"
#include "user/base/infile.h"
#include "user/base/output.h"
#include "user/base/plot.h"
#include "user/base/words.h"
#include "tools/correlate/correlate-result.h"
#include "tools/correlate/sources.h"
#include "tools/correlate/study.h"
#include "tools/input/input.h"

static struct correlate_opts {
	const char *jobs, *files, **systems, *pairs, *window, *form;
	char *mounts;
	uint64_t interval_ns;
	struct study_opts study;
} o = {
	.interval_ns = 1000000000,
	.study = STUDY_DEFAULTS,
};

static const struct opt opts[] = {
	OPT_STR(0, "jobs", &o.jobs, "FILE", "list of the jobs"),
	OPT_STR(0, "files", &o.files, "FILE", "list of the accesses of the jobs to their files"),
	OPT_EACH(0, "system", &o.systems, "FILE",
		 "counters of the whole system, by interval; several are added up"),
	OPT_STR(0, "pairs", &o.pairs, "FILE", "pairs of I/O times and amounts, instead of jobs"),
	OPT_LIST(0, "mount", &o.mounts, NULL,
		 "count only files below these mount points: paths or patterns"),
	OPT_INTERVAL(&o.interval_ns, ", if the system is a trace or asked of Prometheus"),
	OPT_STR(0, "window", &o.window, "WINDOW",
		"window of a job: 'whole' or 'active'; else active, if it is known"),
	OPT_FLAG(0, "rates", &o.study.how.rates, "divide amounts by the time of the window"),
	OPT_STR(0, "form", &o.form, "FORM",
		"form of I/O time to examine closely; else the best one"),
	STUDY_OPTS(o.study),
	OPT_QUIET,
	OPT_END,
};

const struct opt_page correlate_page = {
	.command = "correlate",
	.usage = "--jobs FILE --system FILE [options] [FILE...]|--pairs FILE",
	.summary = "relate the I/O times of jobs to the activity of the system",
	.opts = opts,
	.examples = "  iospan correlate --jobs jobs.csv --system iostat.csv\n"
		    "  iospan correlate --jobs jobs.csv --files files.csv --system iostat.csv\n"
		    "  iospan correlate --jobs darshan.txt --system iostat.json\n",
};

/* Checks that the given inputs and options fit together. @more lists further input files with jobs,
 * and ends with NULL. */
static int check_inputs(char *const *more)
{
	static const struct opt_pair without_effect[] = {
		OPT_BARS(&o.jobs, &o.pairs),
		OPT_BARS(&o.files, &o.pairs),
		OPT_BARS(&o.systems, &o.pairs),
		OPT_BARS(&o.mounts, &o.pairs),
		OPT_BARS(&o.window, &o.pairs),
		OPT_BARS(&o.interval_ns, &o.pairs),
		OPT_BARS(&o.study.how.rates, &o.pairs),
		OPT_BARS(&o.study.how.granularity, &o.pairs),
		{},
	};
	int ret;

	if (!o.pairs && (!o.jobs || !o.systems))
		return error(-EUSAGE, "--%s is missing; usage: iospan correlate %s",
			     o.jobs ? "system" : "jobs", correlate_page.usage);
	if (o.pairs && *more)
		return error(-EUSAGE, "'%s' is one argument too many with --pairs", *more);
	ret = opt_check_pairs(&correlate_page, without_effect);
	if (ret || o.pairs)
		return ret;
	ret = infile_check_once(o.jobs, more) ?:
		infile_check_once(o.systems[0], (char *const *)o.systems + 1);
	return ret || !opt_given(&o.interval_ns) ? ret : sources_check_interval(o.systems);
}

static int check(char *const *more)
{
	static const char *const windows[] = { "whole", "active", NULL };
	int form = FORMS, ret = check_inputs(more);

	if (ret)
		return ret;
	if (o.window && words_index("window", windows, o.window) < 0)
		return -EUSAGE;
	if (!o.interval_ns)
		return error(-EUSAGE, "--interval is longer than 0");
	if (o.form)
		form = words_index("I/O time", form_names, o.form);
	if (form < 0)
		return form;
	o.study.how.form = form;
	return study_check(&o.study);
}

/* Sets the time range of the query to Prometheus: from two intervals before the first job to one
 * interval after the last job. */
static void set_time(struct series *system, const struct timed_jobs *jobs)
{
	system->width_s = o.interval_ns / 1e9;
	system->from_s = system->to_s = NAN;
	for (u32 i = 0; i < jobs->n; i++) {
		system->from_s = fmin(system->from_s, jobs->list[i].start_s - 2 * system->width_s);
		system->to_s = fmax(system->to_s, jobs->list[i].end_s + system->width_s);
	}
}

static bool has_selected_files(const struct timed_jobs *jobs)
{
	for (u32 i = 0; i < jobs->n; i++) {
		const double *v = jobs->list[i].selected;

		if (v[VOLUME_UNIQUE] + v[VOLUME_SHARED] > 0)
			return true;
	}
	return jobs->activities_n;
}

static int read_all(struct timed_jobs *jobs, char **more, struct series *system)
{
	int ret = sources_read_jobs(jobs, o.jobs);

	for (; !ret && *more; more++)
		ret = sources_read_jobs(jobs, *more);
	if (!ret && o.files)
		ret = timed_jobs_read_activities(jobs, o.files);
	if (!ret && o.mounts && !has_selected_files(jobs))
		ret = error(
			-ENODATA,
			"no job used a file on '%s'; --mount takes a log of Darshan, or --files",
			o.mounts);
	set_time(system, jobs);
	if (!ret)
		ret = sources_read_system(system, o.systems);
	if (ret)
		return ret;
	timed_jobs_finish(jobs);
	if (o.window && !strcmp(o.window, "active") && !jobs->activities_n)
		return error(-ENODATA,
			     "nobody knows in which intervals the jobs did I/O: --files "
			     "is missing");
	return 0;
}

static int correlate(char **more, struct output *html)
{
	struct correlate_options *how = &o.study.how;
	struct correlation_study c = {};
	struct timed_jobs jobs = { .mounts = o.mounts };
	struct series system = {};
	int ret;

	if (o.pairs) {
		ret = timed_jobs_read_pairs(&jobs, &system, o.pairs);
		timed_jobs_finish(&jobs);
	} else {
		ret = read_all(&jobs, more, &system);
	}
	if (!ret) {
		how->active = o.window ? !strcmp(o.window, "active") : jobs.activities_n > 0;
		ret = correlate_jobs(&c, how, &jobs, &system);
	}
	if (!ret)
		ret = study_print(&o.study, &c, correlate_document(&c), "I/O time and the system",
				  correlate_views, html);
	correlation_study_release(&c);
	series_release(&system);
	timed_jobs_release(&jobs);
	return ret;
}

/* Opens the HTML page, and checks that it overwrites none of the input files. @more lists further
 * input files with jobs, and ends with NULL. */
static int open_html(struct output *html, char *const *more)
{
	const char *options[] = { o.jobs, o.files, o.pairs };
	int ret = output_open(html, o.study.html);

	for (int i = 0; i < 3 && !ret; i++)
		ret = input_spared_one(html, options[i]);
	for (const char *const *system = o.systems; !ret && system && *system; system++)
		ret = input_spared_one(html, *system);
	for (; !ret && *more; more++)
		ret = input_spared_one(html, *more);
	return ret ?: plot_check();
}

int cmd_correlate(int argc, char **argv)
{
	char **operands = need(calloc(argc + 1, sizeof(*operands)));
	int ret = opt_operands(&correlate_page, argc, argv, operands);
	struct output html = OUTPUT_NONE;

	if (ret >= 0)
		ret = check(operands);
	if (!ret && o.study.html)
		ret = open_html(&html, operands);
	if (!ret)
		ret = correlate(operands, &html);
	output_drop(&html);
	free(operands);
	return ret;
}
