// SPDX-License-Identifier: GPL-2.0-or-later
/* iospan correlate: how the I/O time of jobs goes with what the whole system does. */
#include <stdlib.h>
#include <string.h>

#include "../user/cmd.h"
#include "../user/err.h"
#include "../user/information.h"
#include "../user/out.h"
#include "../user/output.h"
#include "../user/plot.h"
#include "../user/seal.h"
#include "correlate.h"
#include "sources.h"

#define MOST_GRANULARITY 10000
#define MOST_PERMUTATIONS 1000000
#define MOST_POINTS 10000

static struct correlate_opts {
	const char *jobs, *files, *system, *time, *window, *html;
	uint64_t interval_ns, granularity, permutations, sample, bins, trees, points, seed;
	bool rates, json;
} o = {
	.interval_ns = 1000000000,
	.granularity = 20,
	.permutations = 499,
	.sample = 1000,
	.trees = 500,
	.points = 11,
	.seed = 1,
};

static const struct opt opts[] = {
	OPT_STR(0, "jobs", &o.jobs, "FILE", "the jobs: when they ran, and their I/O times"),
	OPT_STR(0, "files", &o.files, "FILE", "when they read and wrote each of their files"),
	OPT_STR(0, "system", &o.system, "FILE", "what the whole system did, in intervals"),
	OPT_TIME('i', "interval", &o.interval_ns, "TIME", "of a system that is a trace"),
	OPT_STR('t', "time", &o.time, "FORM",
		"look closely at this form of I/O time; else the best one"),
	OPT_STR('w', "window", &o.window, "WINDOW",
		"of a job's time, 'whole' or 'active'; else active, if that is known"),
	OPT_FLAG('r', "rates", &o.rates, "amounts per second of that time"),
	OPT_UINT('k', "granularity", &o.granularity, "N",
		 "merge intervals up to so many; 1: none"),
	OPT_UINT('p', "permutations", &o.permutations, "N", "for p; 0: no p"),
	OPT_UINT(0, "sample", &o.sample, "N", "at most so many jobs for what takes long"),
	OPT_UINT(0, "bins", &o.bins, "N", "mutual information of so many bins; 0: by neighbours"),
	OPT_UINT(0, "trees", &o.trees, "N", "of the random forest"),
	OPT_UINT(0, "points", &o.points, "N", "of each curve"),
	OPT_UINT(0, "seed", &o.seed, "N", "of all that is random: the same for the same number"),
	OPT_STR(0, "html", &o.html, "FILE", "write a page with plots there as well"),
	OPT_FLAG('j', "json", &o.json, "print JSON"),
	OPT_END
};

const struct opt_page correlate_page = {
	.command = "correlate",
	.usage = "--jobs FILE --system FILE [options] [FILE...]",
	.summary = "say how the I/O time of jobs goes with what the system does",
	.opts = opts,
	.examples = "  iospan correlate --jobs jobs.csv --system iostat.csv\n"
		    "  iospan correlate --jobs jobs.csv --files files.csv --system iostat.csv\n"
		    "  iospan correlate --jobs darshan.txt --system iostat.json\n",
};

/* ---- what was asked for ---- */

static int parse_form(int *form)
{
	char *words;

	*form = FORMS;
	if (!o.time)
		return 0;
	for (*form = 0; *form < FORMS; ++*form)
		if (!strcmp(form_names[*form], o.time))
			return 0;
	words = opt_words(form_names, ~0U);
	error(-EUSAGE, "unknown I/O time '%s'; one of %s", o.time, words);
	free(words);
	return -EUSAGE;
}

static int check_range(const char *option, uint64_t v, uint64_t least, uint64_t most)
{
	if (v >= least && v <= most)
		return 0;
	return error(-EUSAGE, "--%s is from %llu to %llu", option, (unsigned long long)least,
		     (unsigned long long)most);
}

static int check(void)
{
	int ret;

	if (!o.jobs || !o.system)
		return error(-EUSAGE, "--%s is missing; usage: iospan correlate %s",
			     o.jobs ? "system" : "jobs", correlate_page.usage);
	if (o.window && strcmp(o.window, "whole") && strcmp(o.window, "active"))
		return error(-EUSAGE, "unknown window '%s'; 'whole' or 'active'", o.window);
	if (!o.interval_ns)
		return error(-EUSAGE, "--interval is longer than 0");
	ret = check_range("granularity", o.granularity, 0, MOST_GRANULARITY);
	ret = ret ?: check_range("permutations", o.permutations, 0, MOST_PERMUTATIONS);
	ret = ret ?: check_range("sample", o.sample, 10, UINT32_MAX);
	ret = ret ?: check_range("bins", o.bins, 0, INFORMATION_MOST_BINS);
	ret = ret ?: check_range("trees", o.trees, 1, MOST_PERMUTATIONS);
	return ret ?: check_range("points", o.points, 1, MOST_POINTS);
}

/* ---- all of it ---- */

static int read_all(struct timed_jobs *jobs, char **more, struct series *system)
{
	int ret = sources_read_jobs(jobs, o.jobs);

	for (; !ret && *more; more++)
		ret = sources_read_jobs(jobs, *more);
	if (!ret && o.files)
		ret = timed_jobs_read_activities(jobs, o.files);
	if (!ret)
		ret = sources_read_series(system, o.system);
	if (ret)
		return ret;
	timed_jobs_finish(jobs);
	if (o.window && !strcmp(o.window, "active") && !jobs->activities_n)
		return error(-ENODATA, "nobody knows in which intervals the jobs did I/O: --files "
			     "is missing");
	return 0;
}

static int print_json(const struct correlation_study *c)
{
	struct out *doc = out_object();

	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "correlate");
	out_null(doc, "elapsed_ns");
	out_put(doc, "correlation", correlate_json(c));
	return seal_json(stdout, doc);
}

static int show(const struct correlation_study *c)
{
	if (o.json)
		return print_json(c);
	correlate_text(stdout, c);
	return 0;
}

static int correlate_all(int form, char **more, struct output *html)
{
	struct correlate_options how = {
		.how = { .permutations = o.permutations, .bins = o.bins, .seed = o.seed,
			 .sample = o.sample },
		.form = form, .rates = o.rates, .granularity = o.granularity, .trees = o.trees,
		.points = o.points,
	};
	struct correlation_study c = {};
	struct series system = { .width_s = o.interval_ns / 1e9 };
	struct timed_jobs jobs = {};
	int ret = read_all(&jobs, more, &system);

	if (!ret) {
		how.active = o.window ? !strcmp(o.window, "active") : jobs.activities_n > 0;
		ret = correlate_jobs(&c, &how, &jobs, &system);
	}
	if (!ret)
		ret = show(&c);
	if (!ret && html->path)
		ret = output_write(html, correlate_html, &c);
	correlation_study_release(&c);
	series_release(&system);
	timed_jobs_release(&jobs);
	return ret;
}

int cmd_correlate(int argc, char **argv)
{
	char **more = need(calloc(argc + 1, sizeof(*more)));
	int ret = opt_operands(&correlate_page, argc, argv, more), form;
	struct output html = { .fd = -1 };

	if (ret >= 0)
		ret = check();
	if (!ret)
		ret = parse_form(&form);
	if (!ret && o.html)
		ret = output_open(&html, o.html);
	if (!ret && o.html)
		ret = plot_check();
	if (!ret)
		ret = correlate_all(form, more, &html);
	output_drop(&html);
	free(more);
	return ret;
}
