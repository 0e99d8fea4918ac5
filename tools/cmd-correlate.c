// SPDX-License-Identifier: GPL-2.0-or-later
/* The command iospan correlate: relates the I/O times of jobs to the activity of the system. A
 * study is the result for all jobs. A column of the system data is one amount of I/O per interval,
 * such as the bytes of a cgroup. */
#include <stdlib.h>
#include <string.h>

#include "user/base/opt-common.h"
#include "user/cmd.h"
#include "user/base/err.h"
#include "user/stats/information.h"
#include "user/base/output.h"
#include "user/base/plot.h"
#include "user/base/words.h"
#include "user/result/result.h"
#include "tools/correlate/correlate.h"
#include "tools/correlate/correlate-html.h"
#include "tools/correlate/correlate-result.h"
#include "tools/input/input.h"
#include "tools/input/files.h"
#include "tools/correlate/live.h"
#include "tools/correlate/sources.h"
#include "tools/correlate/timed-csv.h"

#define MOST_GRANULARITY 10000
#define MOST_PERMUTATIONS 1000000
#define MOST_POINTS 10000
#define MOST_RUNS 100000
/* minimum number of permutations, per column of the system data, for the p-values */
#define PER_COLUMN 50

static struct correlate_opts {
	const char *jobs, *files, *system, *time, *window, *html, *attribution;
	uint64_t interval_ns, granularity, permutations, sample, bins, trees, points, seed;
	uint64_t repeat, pause_ns;
	bool live, rates, json, csv;
} o = {
	.interval_ns = 1000000000,
	.granularity = 20,
	.permutations = 499,
	.sample = 1000,
	.trees = 500,
	.points = 11,
	.seed = 1,
	.repeat = 30,
	.attribution = "auto",
};

static const struct opt opts[] = {
	OPT_STR(0, "jobs", &o.jobs, "FILE", "list of the jobs"),
	OPT_STR(0, "files", &o.files, "FILE", "list of the accesses of the jobs to their files"),
	OPT_STR(0, "system", &o.system, "FILE", "counters of the whole system, by interval"),
	OPT_FLAG(0, "live", &o.live,
		 "run a command repeatedly, and relate its runs to this machine"),
	OPT_COUNT(&o.repeat, "runs, with --live"),
	OPT_TIME(0, "pause", &o.pause_ns, "TIME", "pause between two runs, with --live"),
	OPT_ATTRIBUTION(&o.attribution),
	OPT_INTERVAL(&o.interval_ns, " of a trace or of this machine"),
	OPT_STR(0, "form", &o.time, "FORM",
		"form of I/O time to examine closely; else the best one"),
	OPT_STR(0, "window", &o.window, "WINDOW",
		"window of a job: 'whole' or 'active'; else active, if it is known"),
	OPT_FLAG(0, "rates", &o.rates, "divide amounts by the time of the window"),
	OPT_UINT(0, "granularity", &o.granularity, "N", "merge up to N intervals; 1: none"),
	OPT_UINT(0, "permutations", &o.permutations, "N", "number of permutations for p; 0: no p"),
	OPT_UINT(0, "sample", &o.sample, "N", "largest number of jobs for expensive measures"),
	OPT_UINT(0, "bins", &o.bins, "N",
		 "number of bins for the mutual information; 0: estimate it by neighbours"),
	OPT_UINT(0, "trees", &o.trees, "N", "number of trees of the random forest"),
	OPT_UINT(0, "points", &o.points, "N", "number of points of a curve"),
	OPT_SEED(&o.seed),
	OPT_HTML(&o.html),
	OPT_JSON(&o.json),
	OPT_CSV(&o.csv),
	OPT_QUIET,
	OPT_END,
};

const struct opt_page correlate_page = {
	.command = "correlate",
	.usage = "--jobs FILE --system FILE [options] | --live -- COMMAND",
	.summary = "relate the I/O times of jobs to the activity of the system",
	.opts = opts,
	.examples = "  iospan correlate --jobs jobs.csv --system iostat.csv\n"
		    "  iospan correlate --jobs jobs.csv --files files.csv --system iostat.csv\n"
		    "  iospan correlate --jobs darshan.txt --system iostat.json\n"
		    "  iospan correlate --live -n 50 -- fio job.fio\n",
};

static int parse_form(int *form)
{
	*form = o.time ? words_index("I/O time", form_names, o.time) : FORMS;
	return *form < 0 ? *form : 0;
}

static int check_range(const char *option, uint64_t v, uint64_t least, uint64_t most)
{
	if (v >= least && v <= most)
		return 0;
	return error(-EUSAGE, "--%s is from %llu to %llu", option, (unsigned long long)least,
		     (unsigned long long)most);
}

/* Checks the options of --live. @before is the word before @command on the command line; it must be
 * "--". */
static int check_live(const char *before, char **command)
{
	const char *other = o.jobs ? "jobs" :
		o.files		   ? "files" :
		o.system	   ? "system" :
		o.window	   ? "window" :
				     NULL;

	if (other)
		return error(-EUSAGE, "--%s and --live exclude each other", other);
	if (!*command)
		return error(-EUSAGE, "no command given; usage: iospan correlate %s",
			     correlate_page.usage);
	if (strcmp(before, "--"))
		return error(-EUSAGE, "'--' is missing before '%s'; usage: iospan correlate %s",
			     *command, correlate_page.usage);
	return check_range("count", o.repeat, LIVE_LEAST_RUNS, MOST_RUNS);
}

static int check(void)
{
	static const char *const windows[] = { "whole", "active", NULL };
	int ret;

	if (!o.live && (!o.jobs || !o.system))
		return error(-EUSAGE, "--%s is missing; usage: iospan correlate %s",
			     o.jobs ? "system" : "jobs", correlate_page.usage);
	if (o.window && words_index("window", windows, o.window) < 0)
		return -EUSAGE;
	if (!o.interval_ns)
		return error(-EUSAGE, "--interval is longer than 0");
	ret = check_range("granularity", o.granularity, 0, MOST_GRANULARITY);
	ret = ret ?: check_range("permutations", o.permutations, 0, MOST_PERMUTATIONS);
	ret = ret ?: check_range("sample", o.sample, 10, UINT32_MAX);
	ret = ret ?: check_range("bins", o.bins, 0, INFORMATION_MOST_BINS);
	ret = ret ?: check_range("trees", o.trees, 1, MOST_PERMUTATIONS);
	return ret ?: check_range("points", o.points, 1, MOST_POINTS);
}

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
		return error(-ENODATA,
			     "nobody knows in which intervals the jobs did I/O: --files "
			     "is missing");
	return 0;
}

/* Prints the study @c. @live has the runs from which the study is computed. @live is NULL if the
 * jobs were read from files. */
static int show_study(const struct correlation_study *c, const struct live *live,
		      struct output *html)
{
	struct result result = {
		.title = live ? "which cgroups disturb a command" : "I/O time and the system",
		.doc = correlate_document(c, live),
		.views = live ? live_views : correlate_views,
		.plots = correlate_plots_html,
		.arg = c,
	};
	int ret = result_print(&result, out_format(o.json, o.csv), html);

	out_free(result.doc);
	return ret;
}

static struct correlate_options how_it_is_done(int form)
{
	return (struct correlate_options){
		.how = { .permutations = o.permutations,
			 .bins = o.bins,
			 .seed = o.seed,
			 .sample = o.sample },
		.form = form,
		.sums = o.live ? LIVE_OTHERS : 0,
		.rates = o.rates || o.live,
		.granularity = o.granularity,
		.trees = o.trees,
		.points = o.points,
	};
}

static int correlate_files(int form, char **more, struct output *html)
{
	struct correlate_options how = how_it_is_done(form);
	struct correlation_study c = {};
	struct series system = { .width_s = o.interval_ns / 1e9 };
	struct timed_jobs jobs = {};
	int ret = read_all(&jobs, more, &system);

	if (!ret) {
		how.active = o.window ? !strcmp(o.window, "active") : jobs.activities_n > 0;
		ret = correlate_jobs(&c, &how, &jobs, &system);
	}
	if (!ret)
		ret = show_study(&c, NULL, html);
	correlation_study_release(&c);
	series_release(&system);
	timed_jobs_release(&jobs);
	return ret;
}

static int correlate_live(int form, char **argv, struct output *html)
{
	const struct live_options runs = { .argv = argv,
					   .repeat = o.repeat,
					   .pause_ns = o.pause_ns,
					   .interval_ns = o.interval_ns,
					   .attribution = o.attribution };
	struct correlate_options how = how_it_is_done(form);
	struct correlation_study c = {};
	struct live live;
	int ret = live_run(&live, &runs);
	unsigned least = PER_COLUMN * live.system.columns_n;

	/* The p-values are corrected for the number of columns. With few permutations, no corrected
	 * p-value could be small. */
	if (how.how.permutations && how.how.permutations < least)
		how.how.permutations = least;
	if (!ret)
		ret = correlate_jobs(&c, &how, &live.jobs, &live.system);
	if (!ret)
		joint_compute(&live.joint, &c, how.sums);
	if (!ret)
		ret = show_study(&c, &live, html);
	correlation_study_release(&c);
	live_release(&live);
	return ret;
}

/* Opens the HTML page before any input is read or a command runs. @operands are the input files or,
 * with --live, the command. */
static int open_html(struct output *html, char *const *operands)
{
	const char *options[] = { o.jobs, o.files, o.system };
	int ret = output_open(html, o.html);

	for (int i = 0; i < 3 && !ret; i++)
		ret = input_spared_one(html, options[i]);
	if (!ret && o.live)
		ret = output_spares_command(html, *operands);
	for (; !ret && !o.live && *operands; operands++)
		ret = input_spared_one(html, *operands);
	return ret ?: plot_check();
}

int cmd_correlate(int argc, char **argv)
{
	char **operands = need(calloc(argc + 1, sizeof(*operands)));
	int n = opt_operands(&correlate_page, argc, argv, operands), ret = n, form;
	struct output html = OUTPUT_NONE;

	if (ret >= 0)
		ret = check();
	if (!ret && o.live)
		ret = check_live(argv[argc - n - 1], operands);
	if (!ret)
		ret = parse_form(&form);
	if (!ret && o.html)
		ret = open_html(&html, operands);
	if (!ret && o.live)
		ret = correlate_live(form, operands, &html);
	else if (!ret)
		ret = correlate_files(form, operands, &html);
	output_drop(&html);
	free(operands);
	return ret;
}
