// SPDX-License-Identifier: GPL-2.0-or-later
/* iospan top: shows the I/O of each disk, cgroup or process on a full screen. The tracer is the BPF
 * programs and the code that reads their counters. A measurement is the numbers of one interval. */
#include "user/base/clock.h"
#include "user/cmd.h"
#include "user/base/err.h"
#include "user/session/machine.h"
#include "user/base/signals.h"
#include "user/top/screen.h"
#include "user/metric/measurement.h"
#include "user/top/top-keys.h"

static struct top_opts {
	struct machine_opts machine;
	const char *sort;
} o = {
	.machine = MACHINE_DEFAULTS_OF(1 << LAYER_VFS | 1 << LAYER_DEVICE),
	.sort = "busy",
};

static const struct opt opts[] = {
	OPT_SORT(&o.sort),
	OPT_TOP(&o.machine.view.top, "list only the first N rows"),
	MACHINE_OPTS(o.machine),
	OPT_END,
};

const struct opt_page top_page = {
	.command = "top",
	.usage = "[options]",
	.summary = "show the I/O of disks, cgroups or processes on a screen",
	.opts = opts,
	.examples = "  iospan top\n"
		    "  iospan top --by cgroup -i 5s --sort p99\n",
};

struct top {
	struct machine machine;
	struct top_view view;
	struct measurement *shown;
	int signals;
};

/* Shows measurement @m on the screen, and frees the previous measurement. Takes ownership of @m. If
 * @m is NULL, nothing has been measured yet. */
static void set_shown(struct top *t, struct measurement *m)
{
	measurement_free(t->shown);
	t->shown = m;
	t->view.report = t->machine.report;
	t->view.report.m = m;
	t->view.cut = time(NULL);
	top_view_list(&t->view);
}

/* Ends the interval, reads the counters, and shows the numbers of the interval. If the user has
 * paused the view, leaves the screen unchanged. */
static int cut(struct top *t)
{
	int ret = machine_cut(&t->machine);

	t->view.selected_cuts++;
	if (ret || t->view.paused)
		return ret;
	history_add(&t->view.history, t->machine.m,
		    report_has_layer(&t->machine.report, LAYER_DEVICE) ? LAYER_DEVICE : LAYER_VFS);
	set_shown(t, t->machine.m);
	t->machine.m = NULL;
	screen_draw(&t->view);
	return 0;
}

static int begin(struct top *t)
{
	bool processes = t->view.rows == TOP_PROCESSES;

	o.machine.view.processes = processes;
	o.machine.view.groups = !processes;
	o.machine.parts = true;
	o.machine.pressure = true;
	o.machine.selectable = true;
	screen_say("iospan top: the kernel programs are being loaded");
	return machine_begin(&t->machine, &o.machine, "top");
}

/* Restarts the tracer if the user switched between cgroups and processes, because cgroups and
 * processes need different BPF programs. Disks need no restart, because the tracer always counts
 * disks. */
static int follow_rows(struct top *t)
{
	bool processes = t->view.rows == TOP_PROCESSES;

	if (t->view.rows == TOP_DISKS || processes == t->machine.view.processes)
		return 0;
	set_shown(t, NULL);
	t->view.paused = false;
	history_release(&t->view.history);
	machine_end(&t->machine);
	return begin(t);
}

/* Handles the keys that the user pressed. Returns 1 if the user quits or the terminal is closed,
 * -errno if the tracer cannot be restarted, otherwise 0. */
static int take_keys(struct top *t)
{
	bool some = false;
	int ret;

	for (unsigned key; (key = screen_key()); some = true)
		if (key == SCREEN_GONE || (key != SCREEN_RESIZED && !top_key(&t->view, key)))
			return 1;
	if (!some)
		return 0;
	ret = follow_rows(t);
	if (!ret) {
		tracer_select(t->machine.tracer, t->view.selected);
		screen_draw(&t->view);
	}
	return ret;
}

static int watch(struct top *t)
{
	u64 cuts = 0;
	int ret = 0;

	while (!ret && (!o.machine.count || cuts < o.machine.count)) {
		u64 due = machine_due_ns(&t->machine), next = now_ns() + TRACER_POLL_NS;

		if (!measured_wait(t->machine.tracer, t->signals, next < due ? next : due,
				   TRACER_POLL_NS))
			break;
		if (now_ns() >= due) {
			ret = cut(t);
			cuts++;
		}
		ret = ret ?: take_keys(t);
	}
	return ret < 0 ? ret : 0;
}

static int top_all(struct top *t)
{
	int ret = begin(t);

	if (!ret)
		ret = watch(t);
	measurement_free(t->shown);
	top_view_release(&t->view);
	machine_end(&t->machine);
	return ret;
}

static int check(int argc, char **argv, int n)
{
	u64 interval_ns;

	if (n < argc)
		return num_time(argv[n], &interval_ns) ?
			error(-EUSAGE, "top takes no argument '%s'; see 'iospan top --help'",
			      argv[n]) :
			error(-EUSAGE, "top takes no argument '%s'; for an interval, try: -i %s",
			      argv[n], argv[n]);
	if (top_column_named(o.sort) < 0)
		return -EUSAGE;
	return machine_check(&o.machine, true);
}

static enum top_rows first_rows(const struct interval_view *v)
{
	return v->processes ? TOP_PROCESSES : v->groups ? TOP_GROUPS : TOP_DISKS;
}

int cmd_top(int argc, char **argv)
{
	struct top t = {};
	sigset_t before;
	int ret = opt_parse(&top_page, argc, argv);

	ret = ret < 0 ? ret : check(argc, argv, ret);
	if (!ret)
		ret = screen_begin();
	if (ret)
		return ret;
	t.view = (struct top_view){ .rows = first_rows(&o.machine.view),
				    .sort = top_column_named(o.sort),
				    .most = o.machine.view.top,
				    .human = o.machine.view.human };
	ret = t.signals = signals_catch(0, &before);
	if (ret >= 0) {
		ret = top_all(&t);
		signals_release(t.signals, &before);
	}
	screen_end();
	return ret;
}
