/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures the whole machine in intervals, for `stat` and `top`. */
#ifndef IOSPAN_MACHINE_H
#define IOSPAN_MACHINE_H

#include "user/kernel/interval.h"
#include "user/show/interval-show.h"
#include "user/session/measured.h"

struct machine_opts {
	const char *cgroup, *process;
	struct interval_view view;
	struct measured_opts measured;
	bool parts; /* each group also by layer, disk and operation */
	uint64_t interval_ns;
	uint64_t count; /* of intervals; 0: no limit */
};
#define MACHINE_DEFAULTS_OF(l) \
	{ \
		.measured = MEASURED_DEFAULTS_OF(l), .interval_ns = 1000000000 \
	}
#define MACHINE_OPTS(o) \
	OPT_STR(0, "device", &(o).view.disk, "DEV", "only these disks: name, number or pattern"), \
		OPT_STR('g', "group", &(o).view.group, "PATTERN", \
			"only these cgroups: path or name, as a pattern"), \
		OPT_STR(0, "process", &(o).process, "WHO", \
			"only these processes: name, number or pattern"), \
		OPT_SIZE('m', "min-rate", &(o).view.min_rate, "BYTES", \
			 "only rows with so many bytes per second"), \
		OPT_STR('G', "cgroup", &(o).cgroup, "DIR", \
			"count only what runs in this cgroup or below"), \
		OPT_SET('l', "layers", &(o).measured.layers, layer_names, "what to measure"), \
		OPT_UINT(0, "max-groups", &(o).measured.max_groups, "N", \
			 "groups with a row, at most"), \
		MEASURED_HOW_OPTS((o).measured)

/* Whether an interval of @ns is supported. */
bool machine_interval_works(uint64_t ns);

struct machine {
	const struct machine_opts *opts;
	struct interval_view view; /* selects the rows */
	struct tracer_options options;
	struct tracer *tracer;
	struct cuts cuts;
	u64 begin_ns, end_ns;  /* times of the first and the last cut */
	struct report report;  /* of the last interval */
	struct measurement *m; /* of the last interval, with the rows of the view */
};

/* Attaches the tracer and makes the first cut. @command is iospan's command, for the report. Call
 * machine_end() even after an error. -errno, printed. */
int machine_begin(struct machine *machine, const struct machine_opts *o, const char *command);

/* Returns when the present interval ends, CLOCK_MONOTONIC. The ends are multiples of the interval
 * after the first cut, so the interval after a late cut is shorter. If a cut is late by more than
 * an interval, the missed ends are skipped. */
u64 machine_due_ns(const struct machine *machine);

/* Ends the interval and sets machine->report. -errno, printed. */
int machine_cut(struct machine *machine);

void machine_end(struct machine *machine);

#endif
