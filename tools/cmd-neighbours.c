// SPDX-License-Identifier: GPL-2.0-or-later
/* The command iospan neighbours: runs a command repeatedly, and finds the cgroups that disturb
 * it. */
#include <math.h>
#include <string.h>

#include "user/cmd.h"
#include "user/base/err.h"
#include "user/base/output.h"
#include "user/base/plot.h"
#include "user/base/words.h"
#include "tools/correlate/study.h"
#include "tools/neighbours/runs-result.h"

#define MOST_RUNS 100000
/* The permutation test for the p-values uses at least this number of permutations per column. A
 * column has the bytes or the operations of one cgroup. */
#define PER_COLUMN 50

static struct neighbours_opts {
	const char *form;
	struct runs_options runs;
	struct study_opts study;
} o = {
	.form = "run",
	.runs = { .count = 30, .interval_ns = 1000000000, .attribution = "auto" },
	.study = STUDY_DEFAULTS,
};

static const struct opt opts[] = {
	OPT_COUNT(&o.runs.count, "runs"),
	OPT_TIME(0, "pause", &o.runs.pause_ns, "TIME", "pause between two runs"),
	OPT_ATTRIBUTION(&o.runs.attribution),
	OPT_INTERVAL(&o.runs.interval_ns, " within a run"),
	OPT_STR(0, "form", &o.form, "FORM",
		"I/O time to examine closely: 'run' (elapsed time of a run) or 'span' (T of its "
		"disk accesses)"),
	STUDY_OPTS(o.study),
	OPT_LIMITS,
	OPT_QUIET,
	OPT_END,
};

const struct opt_page neighbours_page = {
	.command = "neighbours",
	.usage = "[options] -- COMMAND [ARGUMENT...]",
	.summary = "find the containers and units that slow down a command",
	.opts = opts,
	.examples = "  iospan neighbours -- ./job\n"
		    "  iospan neighbours -n 50 --pause 1s --html page.html -- fio job.fio\n",
};

static int check(int argc, char **argv, int first, struct correlate_options *how)
{
	static const char *const forms[] = { "run", "span", NULL };
	int form = words_index("I/O time", forms, o.form);

	if (form < 0)
		return form;
	if (first == argc)
		return error(-EUSAGE, "no command given; usage: iospan neighbours %s",
			     neighbours_page.usage);
	if (strcmp(argv[first - 1], "--"))
		return error(-EUSAGE, "'--' is missing before '%s'; usage: iospan neighbours %s",
			     argv[first], neighbours_page.usage);
	if (!o.runs.interval_ns)
		return error(-EUSAGE, "--interval is longer than 0");
	how->form = form ? FORM_SPAN : FORM_RUN;
	how->sums = RUNS_SUMS;
	how->rates = true;
	return study_check_range("count", o.runs.count, RUNS_LEAST, MOST_RUNS);
}

static int open_html(struct output *html, const char *command)
{
	int ret = output_open(html, o.study.html);

	return ret ?: output_spares_command(html, command) ?: plot_check();
}

static int find_neighbours(struct correlate_options *how, struct output *html)
{
	struct correlation_study c = {};
	struct runs runs;
	int ret = runs_measure(&runs, &o.runs);
	unsigned least = PER_COLUMN * runs.system.columns_n;

	/* With N permutations, the smallest possible p-value is 1 / (N + 1). The correction for
	 * several columns multiplies this p-value by the number of columns. So more
	 * columns need a larger N. */
	if (how->how.permutations && how->how.permutations < least)
		how->how.permutations = least;
	/* T is unknown if no run accessed a disk; runs_measure() has warned of that. So the run
	 * time is used instead of T. */
	if (!ret && isnan(runs.jobs.list[0].seconds[FORM_SPAN]))
		how->form = FORM_RUN;
	if (!ret)
		ret = correlate_jobs(&c, how, &runs.jobs, &runs.system);
	if (!ret)
		joint_compute(&runs.joint, &c, how->sums);
	if (!ret)
		ret = study_print(&o.study, &c, runs_document(&runs, &c),
				  "which cgroups disturb a command", runs_views, html);
	correlation_study_release(&c);
	runs_release(&runs);
	return ret;
}

int cmd_neighbours(int argc, char **argv)
{
	int first = opt_parse(&neighbours_page, argc, argv), ret;
	struct output html = OUTPUT_NONE;

	if (first < 0)
		return first;
	o.runs.argv = argv + first;
	ret = study_check(&o.study) ?: check(argc, argv, first, &o.study.how);
	if (!ret && o.study.html)
		ret = open_html(&html, argv[first]);
	if (!ret)
		ret = find_neighbours(&o.study.how, &html);
	output_drop(&html);
	return ret;
}
