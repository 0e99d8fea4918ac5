/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures the whole machine in intervals, for `stat` and `top`. A row of their tables is a disk, a
 * cgroup or a process. */
#ifndef IOSPAN_MACHINE_H
#define IOSPAN_MACHINE_H

#include "user/host/cgroup-names.h"
#include "user/kernel/interval.h"
#include "user/show/interval-show.h"
#include "user/session/measured.h"

struct machine_opts {
	const char *cgroup, *process;
	/* kind of rows: bit i stands for machine_by[i]; machine_check() permits only one bit */
	unsigned by;
	struct interval_view view;
	struct measured_opts measured;
	bool pressure;
	/* true: the user can select a cgroup or process, and then sees which others used the same
	 * disks at the same time; see tracer_select() */
	bool selectable;
	bool parts; /* true: also show the I/O of each cgroup by layer, disk and operation */
	uint64_t interval_ns;
	uint64_t count; /* number of intervals; 0: no limit */
};
#define MACHINE_DEFAULTS_OF(l) \
	{ \
		.by = 1, .measured = MEASURED_DEFAULTS_OF(l), .interval_ns = 1000000000 \
	}
#define MACHINE_OPTS(o) \
	OPT_SET('b', "by", &(o).by, machine_by, "kind of the rows, one of these"), \
		OPT_DEVICE(&(o).view.disk), OPT_CGROUP(&(o).view.group, cgroup_names_parts), \
		OPT_WITHIN(&(o).cgroup), OPT_PROCESS(&(o).process), \
		OPT_INTERVAL(&(o).interval_ns, ""), \
		OPT_COUNT(&(o).count, "intervals; 0: no limit"), \
		OPT_SIZE(0, "min-rate", &(o).view.min_rate, "BYTES", \
			 "hide rows with fewer bytes per second"), \
		OPT_FLAG(0, "human", &(o).view.human, "print each number with a suitable unit"), \
		OPT_LAYERS(&(o).measured.layers, layer_names), \
		OPT_MAX_GROUPS(&(o).measured.max_groups), MEASURED_HOW_OPTS((o).measured)

/* values of option --by, the kinds of rows of `stat` and `top`; ends with NULL */
extern const char *const machine_by[];

/* Checks the options and sets o->view. If a filter has no effect on the chosen kind of rows, prints
 * an error and returns -EUSAGE. @all is true for `top`: all filters are accepted, because the user
 * can change the kind of rows later. */
int machine_check(struct machine_opts *o, bool all);

/* Returns true if intervals of @ns nanoseconds are supported: 10 ms to 24 h. */
bool machine_interval_works(uint64_t ns);

struct machine {
	const struct machine_opts *opts;
	struct interval_view view; /* kind of rows that is shown, and filters such as the disk */
	struct tracer_options options;
	struct tracer *tracer;
	struct cuts cuts;
	u64 begin_ns, end_ns; /* start of the measurement; end of the last interval */
	struct report report;
	/* measurement of the last interval, without the rows that a filter hides */
	struct measurement *m;
	/* .match: whether the filters match in the last interval. Before the first interval has
	 * ended, .match says whether --device matches a disk. .has_matched: true if the filters
	 * have matched at any time. .hint: text for messages about filters that match nothing. */
	enum interval_match match;
	bool has_matched;
	const char *hint;
};

/* Attaches the BPF programs and starts the first interval. @command is "stat" or "top", for the
 * report. Returns 0 or -errno; prints the error. The caller calls machine_end() after success and
 * after failure. */
int machine_begin(struct machine *machine, const struct machine_opts *o, const char *command);

/* Returns the time (CLOCK_MONOTONIC, ns) at which the current interval should end: the start of the
 * measurement plus a multiple of the interval length. If an interval ends late, the next one is
 * shorter. A multiple that has already passed is skipped. */
u64 machine_due_ns(const struct machine *machine);

/* Ends the current interval, stores its numbers in machine->report, and starts the next interval.
 * Returns 0 or -errno; prints the error. */
int machine_cut(struct machine *machine);

void machine_end(struct machine *machine);

#endif
