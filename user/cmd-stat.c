// SPDX-License-Identifier: GPL-2.0-or-later
/* iospan stat: prints the I/O of each disk, cgroup or process once per interval. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/opt-common.h"
#include "user/base/out-print.h"
#include "user/cmd.h"
#include "user/base/err.h"
#include "user/session/machine.h"
#include "user/base/num.h"
#include "user/base/privileges.h"
#include "user/base/signals.h"
#include "user/show/notes.h"
#include "user/show/show.h"
#include "user/trace/unmatched.h"

static struct stat_opts {
	bool json, csv, histogram;
	const char *sort;
	struct machine_opts machine;
} o = { .machine = MACHINE_DEFAULTS_OF(1 << LAYER_DEVICE) };

static const struct opt opts[] = {
	OPT_FLAG(0, "extended", &o.machine.view.extended, "print all columns"),
	OPT_FLAG(0, "timestamp", &o.machine.view.clock, "print the time above each interval"),
	OPT_JSON(&o.json),
	OPT_CSV(&o.csv),
	OPT_HISTOGRAM(&o.histogram),
	OPT_QUIET,
	OPT_FLAG(0, "parts", &o.machine.parts,
		 "print each row also by operation, that of a cgroup or process also by disk"),
	OPT_SORT(&o.sort),
	OPT_TOP(&o.machine.view.top, TOP_SUMS),
	MACHINE_OPTS(o.machine),
	OPT_END,
};

static const struct opt_hint iostat_hints[] = {
	{ "", NULL, "--device *", NULL, NULL },
	{ "-x", NULL, "--extended", NULL, NULL },
	{ "-xk", NULL, "--extended", NULL, NULL },
	{ "-xm", NULL, "--extended", NULL, NULL },
	{ "-xz", NULL, "--extended", NULL, NULL },
	{ "-t", NULL, "--timestamp", NULL, NULL },
	{ "-k", NULL, "", NULL, NULL },
	{ "-m", NULL, "", NULL, NULL },
	{ "-y", NULL, "", NULL, NULL },
	{ "-z", NULL, "", NULL, NULL },
	{ "-o", "JSON", "--json", NULL, NULL },
	{},
};

const struct opt_page stat_page = {
	.command = "stat",
	.usage = "[options] [INTERVAL [COUNT]]",
	.summary = "show the I/O of disks, cgroups or processes by interval",
	.opts = opts,
	.hints = iostat_hints,
	.examples = "  iospan stat 5\n"
		    "  iospan stat --by cgroup --min-rate 1M 10s 6\n"
		    "  iospan stat --json 1 | jq .devices\n",
};

/* If no disk matches --device, iospan prints one line for the interval, which lists the present
 * disks. Returns true if the previous interval has printed the same line, and nothing was lost.
 * Then this interval needs no output. */
static bool is_repeated(const struct machine *m)
{
	static char *last;
	char *lost = show_losses_line(m->m);
	bool same = m->match == INTERVAL_NO_DISK && last && !strcmp(last, m->m->unmatched) &&
		!*lost;

	free(lost);

	if (!same) {
		free(last);
		last = m->match == INTERVAL_NO_DISK ? need(strdup(m->m->unmatched)) : NULL;
	}
	return same;
}

/* Returns a note about the rows of the printed table. Returns NULL if the table needs no note. */
static const char *table_note(const struct machine *m)
{
	const struct interval_view *v = &m->view;

	if (v->groups || v->processes)
		return v->disk && report_sees(&m->report, LAYER_VFS) && !m->report.m->unmatched ?
			"vfs: the rows have the I/O of all files, not only of those on the "
			"selected disks" :
			NULL;
	return has_stacked(m->report.m) ? STACKED_NOTE : NULL;
}

/* Prints the interval as a table. If there is a note about the table, prints it below the first
 * table only. */
static void show_text(const struct machine *m)
{
	static bool is_noted;
	const char *text;

	if (is_repeated(m))
		return;
	interval_text(stdout, &m->view, &m->report);
	text = is_noted ? NULL : table_note(m);
	if (!text)
		return;
	note(stdout, "%s", text);
	putchar('\n');
	is_noted = true;
}

static int show_interval(const struct machine *m)
{
	if (o.json)
		interval_json(stdout, &m->report);
	else if (o.csv)
		interval_csv(stdout, &m->report);
	else
		show_text(m);
	return out_finish(stdout, "standard output");
}

/* Prints an error if nothing matched the filter. On a terminal, interval_text() has already printed
 * a line about disks if an interval was @shown. */
static int unmatched_error(const struct machine *m, bool shown)
{
	const struct interval_view *v = &m->view;

	if (m->match == INTERVAL_NO_DISK && shown && !o.json && !o.csv && isatty(STDOUT_FILENO))
		return -ENODEV;
	if (m->match == INTERVAL_NO_DISK)
		return error(-ENODEV, "no device matched '%s' during the measurement", v->disk);
	return error(-ENOENT, "no %s matched '%s' during the measurement%s", interval_group_noun(v),
		     v->group, m->hint);
}

static int watch(struct machine *m, int signals)
{
	int ret = 0;
	u64 n;

	if (o.csv)
		interval_csv_titles(stdout, &m->report);
	for (n = 0; !ret && (!o.machine.count || n < o.machine.count); n++) {
		if (!measured_wait(m->tracer, signals, machine_due_ns(m), TRACER_POLL_NS))
			break;
		ret = machine_cut(m);
		if (!ret)
			ret = show_interval(m);
	}
	if (!ret && !m->has_matched && m->match != INTERVAL_MATCHES)
		ret = unmatched_error(m, n > 0);
	return ret;
}

/* Warns about each pattern of --device that matches no disk. If no pattern matches any disk, text
 * output needs no warning, because interval_text() prints a line about it. */
static void warn_of_filter(const struct machine *m)
{
	if (m->match != INTERVAL_NO_DISK || o.json || o.csv)
		unmatched_warn_disks(o.machine.view.disk);
}

static void warn_of_groups(const char *hierarchy, unsigned n)
{
	if (hierarchy)
		warn("%s", hierarchy);
	if (n && !o.json && !o.csv)
		warn("the io controller is not enabled in %u cgroup%s; its I/O counts in the "
		     "parent (or see --attribution=task)",
		     n, num_word(n, "", "s"));
}

static int stat_all(void)
{
	struct machine m;
	sigset_t before;
	int signals, ret = machine_begin(&m, &o.machine, "stat") ?: privileges_drop_tracing();

	if (ret)
		goto out;
	warn_of_groups(m.report.hierarchy, m.report.uncharged);
	if (m.report.no_pressure && !o.json)
		warn("%s", m.report.no_pressure);
	warn_of_filter(&m);
	m.report.has_histograms = o.histogram;
	ret = signals = signals_catch(0, &before);
	if (ret < 0)
		goto out;
	ret = watch(&m, signals);
	signals_release(signals, &before);
out:
	machine_end(&m);
	return ret;
}

static int check(char **operands, int n)
{
	if (n > 2)
		return error(-EUSAGE, "'%s' is one argument too many; usage: iospan stat %s",
			     operands[2], stat_page.usage);
	if (n > 0 &&
	    (num_time(operands[0], &o.machine.interval_ns) ||
	     !machine_interval_works(o.machine.interval_ns)))
		return error(-EUSAGE, "'%s' is no interval; it is a time from 10ms to 24h",
			     operands[0]);
	if (n > 1 && num_uint(operands[1], &o.machine.count))
		return error(-EUSAGE, "'%s' is no number of intervals", operands[1]);
	return 0;
}

static const struct opt_pair pairs[] = {
	OPT_BARS(&o.machine.view.top, &o.json),
	OPT_BARS(&o.machine.view.top, &o.csv),
	OPT_BARS(&o.machine.parts, &o.csv),
	OPT_BARS(&o.machine.view.clock, &o.csv),
	OPT_BARS(&o.machine.view.human, &o.json),
	OPT_BARS(&o.machine.view.human, &o.csv),
	{},
};

static int check_sort(struct interval_view *view)
{
	const struct group_column *c;
	int ret = sort_column_named(&view->sort, o.sort);

	if (ret)
		return ret;
	c = view->sort.of_group;
	if (c && !view->groups && !(view->processes && c->of_processes))
		return error(-EUSAGE, "a %s has no '%s' to sort by; add '--by cgroup'",
			     view->processes ? "process" : "device", c->title);
	o.machine.pressure |= c && !c->of_processes;
	view->is_sorted = true;
	return 0;
}

static int check_rows(void)
{
	struct interval_view *view = &o.machine.view;
	int ret = machine_check(&o.machine, false) ?: opt_check_pairs(&stat_page, pairs);
	bool groups = view->groups || view->processes;

	if (ret)
		return ret;
	if (o.machine.parts && o.json && !groups)
		return error(-EUSAGE,
			     "option '--parts' has no effect with '--json' and '--by device': "
			     "JSON always has the operations of a disk");
	view->parts = o.machine.parts;
	view->histograms = opt_given(&view->top) ? view->top : TOP_DEFAULT;
	o.machine.pressure = view->extended || o.json || o.csv;
	return o.sort ? check_sort(view) : 0;
}

int cmd_stat(int argc, char **argv)
{
	char **operands = need(calloc(argc + 1, sizeof(*operands)));
	int n, ret;

	n = opt_operands(&stat_page, argc, argv, operands);
	ret = n < 0 ? n : check(operands, n) ?: check_rows();
	free(operands);
	return ret ?: stat_all();
}
