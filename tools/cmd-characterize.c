// SPDX-License-Identifier: GPL-2.0-or-later
/* The command iospan characterize: prints the I/O characteristics of a job. */
#include <stdlib.h>
#include <string.h>

#include "user/base/opt-common.h"
#include "user/base/opt-help.h"
#include "user/cmd.h"
#include "user/base/err.h"
#include "user/base/num.h"
#include "user/base/output.h"
#include "user/base/plot.h"
#include "user/result/result.h"
#include "tools/characterize/job.h"
#include "tools/characterize/job-html.h"
#include "tools/characterize/job-result.h"
#include "tools/characterize/live-trace.h"
#include "tools/input/input.h"

static struct characterize_opts {
	const char *output, *html, *counters, *thresholds;
	bool json, csv, live;
	uint64_t for_ns;
} o = {
	.thresholds = "0,128KiB,1MiB",
};

/* The job to characterize, with default values. The options in opts[] change some of its fields. */
static struct job job = {
	.small = 1 << 20,
	.filter = TRACE_FILTER_ALL,
};

static const struct opt opts[] = {
	OPT_OUTPUT(&o.output, "the result"),
	OPT_JSON(&o.json),
	OPT_CSV(&o.csv),
	OPT_LIMITS,
	OPT_QUIET,
	OPT_HTML(&o.html),
	OPT_INTERVAL(&job.interval_ns, "; 0: that of the counters, 1s for a trace"),
	OPT_STR(0, "threshold", &o.thresholds, "BYTES,...",
		"treat an interval with at most this many bytes as idle"),
	OPT_SIZE(0, "small", &job.small, "BYTES", "size below which a request is small"),
	OPT_STR(0, "counters", &o.counters, "FILE", "write the counters of one layer to FILE"),
	OPT_FLAG(0, "cumulative", &job.cumulative, "the input has cumulative counters"),
	OPT_STR(0, "jobs", &job.jobs, "FILE", "list of the jobs"),
	OPT_TIME(0, "least-duration", &job.list.least_ns, "TIME", "leave out shorter jobs"),
	OPT_FLAG(0, "live", &o.live, "measure a command, or with --duration the whole machine"),
	OPT_DURATION(&o.for_ns, "; with --live and without a command"),
	OPT_FROM(&job.from_ns),
	OPT_TO(&job.to_ns),
	OPT_LAYERS(&job.filter.layers, layer_names),
	INPUT_NAME_OPTS(job.filter),
	OPT_END,
};

const struct opt_page characterize_page = {
	.command = "characterize",
	.usage = "[options] TRACE...|COUNTERS|--live -- COMMAND",
	.summary = "show the I/O characteristics of a job",
	.opts = opts,
	.takes_command = &o.live,
	.examples = "  iospan characterize --cgroup /job trace\n"
		    "  iospan characterize --interval 100ms --json trace\n"
		    "  iospan characterize --live -- ./job\n"
		    "  iospan characterize --threshold 0,1M --jobs jobs.csv counters.csv\n",
};

static int parse_thresholds(void)
{
	char *list = need(strdup(o.thresholds)), *rest = list, *one;
	int ret = 0;

	while (!ret && (one = strsep(&rest, ","))) {
		if (job.thresholds_n == THRESHOLDS_MAX)
			ret = error(-EUSAGE, "--threshold takes up to %d sizes", THRESHOLDS_MAX);
		else if (num_size(one, &job.thresholds[job.thresholds_n++]))
			ret = error(-EUSAGE,
				    "--threshold: '%s' is no size such as 4096, 4k or 2GiB", one);
	}
	free(list);
	return ret;
}

/* Checks the options of --live. @operands has the @n words of the command to run; @n is 0 if there
 * is no command. @argv is the whole command line of iospan, in which "--" must precede these words.
 * Returns 0 or a negative error code; prints the error. */
static int check_live(char **operands, int n, char **argv, int argc)
{
	if (job.jobs || job.cumulative)
		return error(-EUSAGE, "--%s is for counters, and excludes --live",
			     job.jobs ? "jobs" : "cumulative");
	if (!n == !o.for_ns)
		return error(-EUSAGE, "--live takes either a command or --duration");
	if (n && strcmp(argv[argc - n - 1], "--"))
		return error(-EUSAGE, "'--' is missing before '%s'; usage: iospan characterize %s",
			     *operands, characterize_page.usage);
	return input_check(job.from_ns, job.to_ns);
}

static int check_options(char **operands, int n, char **argv, int argc)
{
	static const struct opt_pair pairs[] = { { &job.list.least_ns, &job.jobs, true }, {} };
	int ret = opt_check_pairs(&characterize_page, pairs);

	if (ret)
		return ret;
	if (o.live)
		return check_live(operands, n, argv, argc);
	if (o.for_ns)
		return error(-EUSAGE, "option '--duration' has no effect without '--live'");
	if (n < 1)
		return error(-EUSAGE,
			     "no trace and no counters given; usage: iospan characterize "
			     "%s",
			     characterize_page.usage);
	return input_check(job.from_ns, job.to_ns);
}

static int print_counters(FILE *f, const void *counters)
{
	counters_write(f, counters);
	return 0;
}

static int write_counters(struct output *to)
{
	const struct counters *only = NULL;
	int layers = 0;

	for (int i = 0; i < JOB_LAYERS; i++)
		if (job.of[i].layer) {
			layers++;
			only = &job.of[i].counters;
		}
	if (layers != 1)
		return error(-EINVAL, "--counters is for one layer, and there are %d; see --layers",
			     layers);
	return output_write(to, print_counters, only);
}

struct outputs {
	struct output result, counters, html;
};

static int open_outputs(struct outputs *to, char *const *inputs, u32 n)
{
	const struct output *opened[] = { &to->result, &to->counters, &to->html };
	int ret = output_open(&to->result, o.output);

	if (!ret)
		ret = output_open(&to->counters, o.counters);
	if (!ret)
		ret = output_open(&to->html, o.html);
	for (int i = 0; i < 3 && !ret; i++)
		ret = (o.live ? output_spares_command(opened[i], *inputs) : input_spared(opened[i], inputs, n)) ?:
			output_spares(opened[i], job.jobs);
	if (!ret && o.html)
		ret = plot_check();
	return ret;
}

static int print(struct outputs *to)
{
	const struct made jobs[] = { { "jobs", each_job, &job }, {} };
	struct result r = {
		.title = "iospan characterize",
		.views = job.jobs ? jobs_views : job_views,
		.to = &to->result,
		.plots = job_plots,
		.made = job.jobs ? jobs : NULL,
		.arg = &job,
	};
	int ret;

	if (o.json && job.list.n > JOBS_JSON)
		return error(-E2BIG, "%u jobs are too many for JSON (at most %u); use --csv",
			     job.list.n, JOBS_JSON);
	r.doc = job_document(&job);
	ret = result_print(&r, out_format(o.json, o.csv), &to->html);
	out_free(r.doc);
	return ret;
}

static int characterize(struct outputs *to)
{
	int ret = job_read(&job);

	if (!ret)
		ret = print(to);
	if (!ret && o.counters)
		ret = write_counters(&to->counters);
	job_release(&job);
	return ret;
}

/* Records a temporary trace of the command @argv, then characterises that trace. */
static int characterize_live(char **argv, struct outputs *to)
{
	char *layers = opt_words(layer_names, job.filter.layers);
	struct live_trace r = {};
	int ret = live_trace_make(&r, argv, o.for_ns, layers);
	char *paths[] = { r.path, NULL }, *all[] = { "this machine", NULL };

	job.paths = paths;
	job.live = *argv ? argv : all;
	if (!ret)
		ret = characterize(to);
	live_trace_remove(&r);
	free(layers);
	return ret;
}

int cmd_characterize(int argc, char **argv)
{
	char **operands = need(calloc(argc + 1, sizeof(*operands)));
	int n = opt_operands(&characterize_page, argc, argv, operands), ret;
	struct outputs to = { OUTPUT_NONE, OUTPUT_NONE, OUTPUT_NONE };

	job.paths = operands;
	ret = n < 0 ? n : check_options(operands, n, argv, argc);
	if (!ret)
		ret = parse_thresholds();
	if (!ret)
		ret = open_outputs(&to, operands, n);
	if (!ret)
		ret = o.live ? characterize_live(operands, &to) : characterize(&to);
	output_drop(&to.result);
	output_drop(&to.counters);
	output_drop(&to.html);
	free(operands);
	return ret;
}
