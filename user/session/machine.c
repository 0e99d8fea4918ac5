// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/session/machine.h"
#include "user/host/cgroup-tree.h"
#include "user/metric/measurement.h"

#define INTERVAL_MIN_NS 10000000ULL
#define INTERVAL_MAX_NS 86400000000000ULL

bool machine_interval_works(uint64_t ns)
{
	return ns >= INTERVAL_MIN_NS && ns <= INTERVAL_MAX_NS;
}

static unsigned count_uncharged(const struct tracer_options *options)
{
	bool by_io = options->per_cgroup && options->attribution == BY_BLKCG &&
		cgroup_has(&options->charged, "io");

	return by_io ? cgroup_count_without_io(&options->charged) : 0;
}

/* Sets the view and the options for its rows. */
static int prepare_view(struct machine *machine, struct measured *how)
{
	struct measured_opts opts = machine->opts->measured;
	struct interval_view *view = &machine->view;
	int ret;

	*view = machine->opts->view;
	opts.cgroups = view->groups || view->processes;
	if (view->processes) {
		view->group = machine->opts->process;
		opts.attribution = "task";
	}
	ret = measured_prepare(how, &opts);
	machine->options = how->options;
	machine->options.disks = view->disk;
	machine->options.per_part = machine->opts->parts;
	machine->options.per_process = view->processes;
	machine->options.retire = opts.cgroups;
	return ret;
}

int machine_begin(struct machine *machine, const struct machine_opts *o, const char *command)
{
	struct measured how = {};
	int ret;

	*machine = (struct machine){ .opts = o };
	machine->report = (struct report){ .options = &machine->options,
					   .command = command,
					   .everybody = true };
	ret = prepare_view(machine, &how);
	if (!ret)
		ret = measured_target(&machine->options, how.charge, o->cgroup);
	if (!ret)
		ret = tracer_new(&machine->options, &machine->tracer);
	if (!ret)
		ret = cuts_begin(&machine->cuts, machine->tracer);
	if (ret)
		return ret;
	machine->report.uncharged = count_uncharged(&machine->options);
	machine->end_ns = machine->cuts.last->begin_ns + machine->cuts.last->elapsed_ns;
	machine->begin_ns = machine->end_ns;
	return 0;
}

u64 machine_due_ns(const struct machine *machine)
{
	u64 interval = machine->opts->interval_ns, end = machine->end_ns;

	return end - (end - machine->begin_ns) % interval + interval;
}

int machine_cut(struct machine *machine)
{
	struct measurement *m;
	int ret = cuts_next(&machine->cuts, &m);

	if (ret)
		return ret;
	measurement_free(machine->m);
	interval_select(&machine->view, m);
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
