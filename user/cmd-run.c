// SPDX-License-Identifier: GPL-2.0-or-later
/* iospan run: measures the I/O of one command. */
#include <errno.h>
#include <string.h>

#include "user/base/opt-common.h"
#include "user/cmd.h"
#include "user/base/err.h"
#include "user/host/cgroup-names.h"
#include "user/session/attached.h"
#include "user/session/measured.h"
#include "user/base/output.h"
#include "user/base/privileges.h"
#include "user/result/result.h"
#include "user/show/show-json.h"
#include "user/trace/unmatched.h"

static struct run_opts {
	const char *output, *html;
	bool json, csv, histogram;
	struct measured_opts measured;
	struct attached_opts attached;
} o = { .measured = MEASURED_DEFAULTS };

static const struct opt opts[] = {
	OPT_OUTPUT(&o.output, "the report"),
	OPT_JSON(&o.json),
	OPT_CSV(&o.csv),
	OPT_HISTOGRAM(&o.histogram),
	OPT_HTML(&o.html),
	OPT_LIMITS,
	OPT_QUIET,
	OPT_DEVICE(&o.measured.disks),
	OPT_CGROUP(&o.attached.cgroup, cgroup_names_parts),
	OPT_PROCESS(&o.attached.process),
	OPT_DURATION(&o.attached.time_ns, ", 0: until a signal; only with --cgroup or --process"),
	MEASURED_OPTS(o.measured),
	OPT_END,
};

const struct opt_page run_page = {
	.command = "run",
	.usage = "[options] {-- COMMAND [ARGUMENT...] | -g NAME | -p PID}",
	.summary = "measure the I/O of one command at three layers",
	.opts = opts,
	.examples = "  iospan run -- dd if=/dev/zero of=file bs=1M count=100 oflag=direct\n"
		    "  iospan run --json -o result.json -- fio job.fio\n"
		    "  iospan run -g web -t 10s\n",
};

static int write_report(struct output *to, struct output *html, const struct report *r)
{
	const struct result result = {
		.title = "iospan run",
		.doc = show_document(r),
		.views = o.histogram && o.csv ? show_histogram_csv : show_views,
		.to = to,
		.has_command = true,
		.most = TOP_DEFAULT,
	};
	int ret = result_print(&result, out_format(o.json, o.csv), html);

	out_free(result.doc);
	return ret;
}

static const struct opt_pair attached_pairs[] = {
	OPT_BARS(&o.attached.cgroup, &o.attached.process),
	OPT_BARS(&o.measured.parent, &o.attached.cgroup),
	OPT_BARS(&o.measured.parent, &o.attached.process),
	{},
};

/* Checks the options for measuring a container or process that already runs. */
static int check_attached(int argc, char **argv, int first)
{
	if (first < argc)
		return error(-EUSAGE,
			     "'%s' is one argument too many; a command and '--cgroup' or "
			     "'--process' exclude each other",
			     argv[first]);
	if (o.attached.process && !strcmp(o.measured.attribution, "kernel"))
		return error(-EUSAGE,
			     "the kernel charges no processes; leave out '--attribution=kernel'");
	return opt_check_pairs(&run_page, attached_pairs);
}

static int check(int argc, char **argv, int first)
{
	if (attached_is_asked(&o.attached))
		return check_attached(argc, argv, first);
	if (first >= argc)
		return error(-EUSAGE, "no command given; usage: iospan run %s", run_page.usage);
	if (strcmp(argv[first - 1], "--"))
		return error(-EUSAGE, "'--' is missing before '%s'; usage: iospan run %s",
			     argv[first], run_page.usage);
	if (o.attached.time_ns)
		return error(-EUSAGE, "option '--duration' has no effect with a command");
	return 0;
}

/* Opens the output files for the report. Refuses an output that is the executable file of
 * @command. @command is NULL if iospan runs no command. */
static int open_outputs(struct output *to, struct output *html, const char *command)
{
	int ret = output_open(to, o.output);

	if (!ret && o.html)
		ret = output_open(html, o.html);
	if (!ret && o.html && command)
		ret = output_spares_command(html, command);
	if (!ret && command)
		ret = output_spares_command(to, command);
	return ret;
}

static int measure(struct measured *m, char **command)
{
	int ret;

	if (attached_is_asked(&o.attached))
		return attached_run(m, &o.attached, "run");
	ret = measured_begin(m, "run", command) ?: privileges_drop_tracing();
	return ret ?: measured_run(m, TRACER_POLL_NS);
}

int cmd_run(int argc, char **argv)
{
	struct output to = OUTPUT_NONE, html = OUTPUT_NONE;
	struct measured m = {};
	int first = opt_parse(&run_page, argc, argv), ret;

	if (first < 0)
		return first;
	ret = check(argc, argv, first);
	if (!ret)
		ret = measured_prepare(&m, &o.measured);
	if (!ret)
		unmatched_warn_disks(o.measured.disks);
	if (!ret)
		ret = open_outputs(&to, &html, argv[first]);
	if (!ret)
		ret = measure(&m, argv + first);
	m.report.has_histograms = o.histogram;
	if (m.report.m)
		ret = write_report(&to, &html, &m.report) ?: ret;
	measured_end(&m);
	output_drop(&to);
	output_drop(&html);
	return ret;
}
