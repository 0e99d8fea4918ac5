// SPDX-License-Identifier: GPL-2.0-or-later
/* iospan stat: what each disk, cgroup or process does, interval by interval. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "err.h"
#include "interval.h"
#include "interval-show.h"
#include "measured.h"
#include "num.h"
#include "signals.h"

#define INTERVAL_MIN_NS 10000000ULL
#define INTERVAL_MAX_NS 86400000000000ULL

static struct stat_opts {
	bool devices, json, parts;
	const char *cgroup, *process;
	struct interval_view view;
	struct measured_opts measured;
	uint64_t interval_ns;
	uint64_t count;			/* 0: for ever */
} o = { .measured = MEASURED_DEFAULTS_OF(1 << LAYER_DEVICE), .interval_ns = 1000000000 };

static const struct opt opts[] = {
	OPT_FLAG('d', "devices", &o.devices, "a row per disk; that is the default"),
	OPT_FLAG('c', "cgroups", &o.view.groups, "a row per cgroup, with those below it"),
	OPT_FLAG('p', "processes", &o.view.processes, "a row per process"),
	OPT_FLAG('x', "extended", &o.view.extended, "all columns"),
	OPT_FLAG('H', "human", &o.view.human, "numbers with the unit that suits each"),
	OPT_FLAG('t', "timestamp", &o.view.clock, "the time above each interval"),
	OPT_FLAG('j', "json", &o.json, "a JSON document per interval, in one line"),
	OPT_FLAG(0, "parts", &o.parts,
		 "with --json and -c or -p: each also by layer, disk and operation"),
	OPT_STR(0, "device", &o.view.disk, "DEV", "only these disks: name, number or pattern"),
	OPT_STR('g', "group", &o.view.group, "PATTERN",
		"only these cgroups: path or name, as a pattern"),
	OPT_STR(0, "process", &o.process, "WHO",
		"only these processes: name, number or pattern"),
	OPT_SIZE('m', "min-rate", &o.view.min_rate, "BYTES",
		 "only rows with so many bytes per second"),
	OPT_STR('G', "cgroup", &o.cgroup, "DIR", "count only what runs in this cgroup or below"),
	OPT_SET('l', "layers", &o.measured.layers, layer_names, "what to measure"),
	OPT_UINT(0, "max-groups", &o.measured.max_groups, "N", "groups with a row, at most"),
	MEASURED_HOW_OPTS(o.measured),
	OPT_END,
};

const struct opt_page stat_page = {
	.command = "stat",
	.usage = "[options] [INTERVAL [COUNT]]",
	.summary = "show what disks, cgroups or processes do, interval by interval",
	.opts = opts,
	.examples = "  iospan stat 5\n"
		    "  iospan stat -c --min-rate 1M 10s 6\n"
		    "  iospan stat --json 1 | jq .devices\n",
};

static int show_interval(const struct report *r)
{
	if (o.json)
		interval_json(stdout, r);
	else
		interval_text(stdout, &o.view, r);
	return out_finish(stdout, "standard output");
}

static int cut(struct cuts *c, struct report *r, u64 *end_ns)
{
	struct measurement *m;
	int ret = cuts_next(c, &m);

	if (ret)
		return ret;
	*end_ns = m->begin_ns + m->elapsed_ns;
	interval_select(&o.view, m);
	r->m = m;
	ret = show_interval(r);
	measurement_free(m);
	return ret;
}

/* The cuts lie on a grid, so that a late one makes the next interval shorter; one that is later
 * than an interval leaves out what it has missed. */
static int watch(struct tracer *t, struct report *r, int signals)
{
	struct cuts c;
	int ret = cuts_begin(&c, t);
	u64 begin, end;

	if (ret)
		return ret;
	begin = end = c.last->begin_ns + c.last->elapsed_ns;
	for (u64 n = 0; !ret && (!o.count || n < o.count); n++) {
		u64 next = end - (end - begin) % o.interval_ns + o.interval_ns;

		if (!measured_wait(t, signals, next, TRACER_POLL_NS))
			break;
		ret = cut(&c, r, &end);
	}
	cuts_end(&c);
	return ret;
}

/* Some groups have no rows of their own. */
static unsigned without_io(const struct tracer_options *options)
{
	unsigned n = 0;

	if (o.view.groups && options->attribution == BY_BLKCG && cgroup_has(&options->charged, "io"))
		n = cgroup_count_without_io(&options->charged);
	if (n && !o.json)
		warn("the io controller is not enabled in %u cgroup%s; what they do counts in the "
		     "one above (or see --attribution=task)", n, n == 1 ? "" : "s");
	return n;
}

static int stat_all(const struct measured *m)
{
	struct tracer_options options = m->options;
	struct report r = { .options = &options, .command = "stat", .everybody = true };
	struct tracer *t = NULL;
	sigset_t before;
	int signals, ret = measured_target(&options, m->charge, o.cgroup);

	if (!ret)
		ret = tracer_new(&options, &t);
	if (ret)
		return ret;
	r.uncharged = without_io(&options);
	signals = signals_catch(0, &before);
	ret = signals < 0 ? signals : watch(t, &r, signals);
	if (signals >= 0)
		signals_release(signals, &before);
	tracer_free(t);
	return ret;
}

static int check(char **operands, int n)
{
	if (n > 2)
		return error(-EUSAGE, "'%s' is one argument too many; usage: iospan stat %s",
			     operands[2], stat_page.usage);
	if (n > 0 && (num_time(operands[0], &o.interval_ns) ||
		      o.interval_ns < INTERVAL_MIN_NS || o.interval_ns > INTERVAL_MAX_NS))
		return error(-EUSAGE, "'%s' is no interval; it is a time from 10ms to 24h",
			     operands[0]);
	if (n > 1 && (num_uint(operands[1], &o.count) || !o.count))
		return error(-EUSAGE, "'%s' is no number of intervals from 1", operands[1]);
	return 0;
}

static int check_rows(void)
{
	bool groups = o.view.groups || o.view.processes;

	if (o.devices + o.view.groups + o.view.processes > 1)
		return error(-EUSAGE, "--devices, --cgroups and --processes exclude each other");
	if (o.view.disk && groups && !o.json)
		return error(-EUSAGE, "--device is for the rows of disks: another row has all of "
			     "them");
	if (o.parts && !(groups && o.json))
		return error(-EUSAGE, "--parts goes with --json and --cgroups or --processes");
	if (o.view.group && !o.view.groups)
		return error(-EUSAGE, "--group goes with --cgroups");
	if (o.process && !o.view.processes)
		return error(-EUSAGE, "--process goes with --processes");
	if (o.view.processes && strcmp(o.measured.attribution, "kernel") == 0)
		return error(-EUSAGE, "the kernel charges no processes; leave out "
			     "--attribution=kernel");
	return 0;
}

int cmd_stat(int argc, char **argv)
{
	struct measured m = {};
	char **operands = need(calloc(argc + 1, sizeof(*operands)));
	int n, ret;

	n = opt_operands(&stat_page, argc, argv, operands);
	ret = n < 0 ? n : check(operands, n) ?: check_rows();
	free(operands);
	if (o.process)
		o.view.group = o.process;
	if (o.view.processes)
		o.measured.attribution = "task";
	o.measured.cgroups = o.view.groups || o.view.processes;
	m.options.per_part = o.parts;
	m.options.disks = o.view.disk;
	m.options.retire = o.measured.cgroups;
	m.options.per_process = o.view.processes;
	if (!ret)
		ret = measured_prepare(&m, &o.measured);
	return ret ?: stat_all(&m);
}
