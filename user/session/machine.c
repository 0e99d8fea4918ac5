// SPDX-License-Identifier: GPL-2.0-or-later
/* Measures the whole machine in intervals, for `stat` and `top`. The tracer is the BPF programs and
 * the code that reads their counters. */
#include "user/session/machine.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/host/cgroup-tree.h"
#include "user/host/containers.h"
#include "user/metric/measurement.h"
#include "user/session/attached.h"
#include "user/trace/unmatched.h"

#define INTERVAL_MIN_NS 10000000ULL
#define INTERVAL_MAX_NS 86400000000000ULL

const char *const machine_by[] = { "device", "cgroup", "process", NULL };

bool machine_interval_works(uint64_t ns)
{
	return ns >= INTERVAL_MIN_NS && ns <= INTERVAL_MAX_NS;
}

int machine_check(struct machine_opts *o, bool all)
{
	struct interval_view *view = &o->view;

	if (!machine_interval_works(o->interval_ns))
		return error(-EUSAGE, "--interval is a time from 10ms to 24h");
	if (o->by & (o->by - 1))
		return error(-EUSAGE, "option '--by' takes one of device, cgroup and process here");
	view->groups = o->by >> 1 & 1;
	view->processes = o->by >> 2 & 1;
	if (!all && view->group && !view->groups)
		return error(-EUSAGE,
			     "option '--cgroup' has no effect without '--by cgroup'; "
			     "'--within' measures one cgroup");
	if (!all && o->process && !view->processes)
		return error(-EUSAGE, "option '--process' has no effect without '--by process'");
	if (!all && !o->cgroup && opt_given(&o->measured.attribution) && !view->groups &&
	    !view->processes)
		return error(-EUSAGE, "option '--attribution' has no effect without '--by cgroup'");
	if (!all && opt_given(&o->measured.max_groups) && !view->groups && !view->processes)
		return error(-EUSAGE,
			     "option '--max-groups' has no effect without '--by cgroup' or '--by "
			     "process'");
	if (view->processes && strcmp(o->measured.attribution, "kernel") == 0)
		return error(-EUSAGE,
			     "the kernel charges no processes; leave out '--attribution=kernel'");
	return 0;
}

static unsigned count_uncharged(const struct tracer_options *options)
{
	bool by_io = options->per_cgroup && options->attribution == BY_BLKCG &&
		cgroup_has(&options->charged, "io");

	return by_io ? cgroup_count_without_io(&options->charged) : 0;
}

/* Sets machine->view: the kind of rows (disks, cgroups or processes) and the filters. Also sets the
 * options of the tracer, so that it measures these rows. */
static int prepare_view(struct machine *machine, struct measured *how)
{
	struct measured_opts opts = machine->opts->measured;
	struct interval_view *view = &machine->view;
	int ret;

	*view = machine->opts->view;
	opts.cgroups = view->groups || view->processes;
	opts.disks = view->disk;
	if (view->processes) {
		view->group = machine->opts->process;
		opts.attribution = "task";
	}
	ret = measured_prepare(how, &opts);
	if (!ret && view->groups)
		containers_warn();
	machine->options = how->options;
	machine->options.per_part = machine->opts->parts;
	machine->options.selectable = machine->opts->selectable;
	machine->options.per_process = view->processes;
	machine->options.retire = opts.cgroups;
	machine->options.pressure = machine->opts->pressure;
	return ret;
}

static bool has_disk(const struct interval_view *v)
{
	char *none = v->disk ? unmatched_disks(v->disk) : NULL;

	free(none);
	return !none;
}

int machine_begin(struct machine *machine, const struct machine_opts *o, const char *command)
{
	struct measured how = {};
	int ret;

	*machine = (struct machine){ .opts = o };
	machine->report = (struct report){ .options = &machine->options,
					   .command = command,
					   .everybody = true,
					   .attached = o->cgroup };
	ret = prepare_view(machine, &how);
	if (!ret)
		ret = measured_target(&machine->options, how.charge, o->cgroup);
	if (!ret)
		ret = tracer_new(&machine->options, &machine->tracer);
	if (!ret)
		ret = cuts_begin(&machine->cuts, machine->tracer);
	if (ret)
		return ret;
	if (!o->cgroup)
		machine->report.hierarchy = measured_hierarchy_note(&machine->options);
	machine->report.uncharged = count_uncharged(&machine->options);
	machine->report.no_pressure = measured_no_pressure(&machine->options, machine->cuts.last);
	machine->end_ns = machine->cuts.last->begin_ns + machine->cuts.last->elapsed_ns;
	machine->begin_ns = machine->end_ns;
	machine->match = has_disk(&machine->view) ? INTERVAL_MATCHES : INTERVAL_NO_DISK;
	machine->has_matched = machine->match == INTERVAL_MATCHES && !machine->view.group;
	machine->hint = "";
	return 0;
}

u64 machine_due_ns(const struct machine *machine)
{
	u64 interval = machine->opts->interval_ns, end = machine->end_ns;

	return end - (end - machine->begin_ns) % interval + interval;
}

/* Returns true if a cgroup or process that matches the filter exists, even if it has no I/O. */
static bool has_idle(const struct machine *machine)
{
	const struct tracer_options *o = &machine->options;
	const char *root = measured_is_by_blkio(o) ? o->charged.path : o->target.path;

	return machine->view.processes ? attached_has_process(machine->view.group) :
					 attached_has_group(root, machine->view.group);
}

/* Selects the rows of the interval. If I/O is attributed to cgroups of version 1, and only a cgroup
 * of version 2 matches the filter, makes a hint. */
static void select_rows(struct machine *machine, struct measurement *m)
{
	const struct tracer_options *options = &machine->options;
	const char *wanted = machine->view.group;
	char *text;

	machine->match = interval_select(&machine->view, m);
	if (machine->match == INTERVAL_NO_GROUP && has_idle(machine)) {
		machine->match = INTERVAL_MATCHES;
		interval_set_idle(&machine->view, m);
	}
	machine->has_matched |= machine->match == INTERVAL_MATCHES;
	machine->hint = "";
	if (machine->match != INTERVAL_NO_GROUP || !measured_is_by_blkio(options) ||
	    !attached_has_group(options->target.path, wanted))
		return;
	machine->hint = "; a cgroup of version 2 matches, see --attribution=task";
	text = need_text("%s%s", m->unmatched, machine->hint);
	free(m->unmatched);
	m->unmatched = text;
}

int machine_cut(struct machine *machine)
{
	struct measurement *m;
	int ret = cuts_next(&machine->cuts, &m);

	if (ret)
		return ret;
	measurement_free(machine->m);
	select_rows(machine, m);
	machine->end_ns = m->begin_ns + m->elapsed_ns;
	machine->report.m = machine->m = m;
	return 0;
}

void machine_end(struct machine *machine)
{
	measurement_free(machine->m);
	cuts_end(&machine->cuts);
	tracer_free(machine->tracer);
	*machine = (struct machine){};
}
