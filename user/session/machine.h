/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures the whole machine in intervals, for `stat` and `top`. */
#ifndef IOSPAN_MACHINE_H
#define IOSPAN_MACHINE_H

#include "user/kernel/interval.h"
#include "user/show/interval-show.h"
#include "user/session/measured.h"

struct machine_opts {
	const char *cgroup, *process;
	unsigned by; /* bit mask of indices in machine_by; one bit after machine_check() */
	struct interval_view view;
	struct measured_opts measured;
	bool parts; /* true: groups are also split by layer, disk and operation */
	uint64_t interval_ns;
	uint64_t count; /* number of intervals; 0: no limit */
};
#define MACHINE_DEFAULTS_OF(l) \
	{ \
		.by = 1, .measured = MEASURED_DEFAULTS_OF(l), .interval_ns = 1000000000 \
	}
#define MACHINE_OPTS(o) \
	OPT_BY(&(o).by, machine_by), OPT_DEVICE(&(o).view.disk), OPT_CGROUP(&(o).view.group), \
		OPT_WITHIN(&(o).cgroup), OPT_PROCESS(&(o).process), \
		OPT_INTERVAL(&(o).interval_ns, ""), \
		OPT_COUNT(&(o).count, "intervals; 0: no limit"), \
		OPT_SIZE(0, "min-rate", &(o).view.min_rate, "BYTES", \
			 "hide rows with fewer bytes per second"), \
		OPT_FLAG(0, "human", &(o).view.human, "print each number with a suitable unit"), \
		OPT_LAYERS(&(o).measured.layers, layer_names), \
		OPT_MAX_GROUPS(&(o).measured.max_groups), MEASURED_HOW_OPTS((o).measured)

/* The kinds of rows that the report of an interval may have. Ends with NULL. */
extern const char *const machine_by[];

/* Sets the rows in @o->view. Returns -EUSAGE, and prints the error, if an option has no effect.
 * With @all, the user can change the rows later, so every filter may have an effect. */
int machine_check(struct machine_opts *o, bool all);

/* Returns true if an interval of @ns is supported. */
bool machine_interval_works(uint64_t ns);

struct machine {
	const struct machine_opts *opts;
	struct interval_view view; /* kinds of rows that are shown, and their filters */
	struct tracer_options options;
	struct tracer *tracer;
	struct cuts cuts;
	u64 begin_ns, end_ns;  /* times of the first and the last cut */
	struct report report;  /* report of the last interval */
	struct measurement *m; /* measurement of the last interval, with the rows of the view */
};

/* Attaches the tracer and makes the first cut (interval.h). @command is iospan's command, for the
 * report. The caller calls machine_end() even after an error. Returns 0 or -errno, and prints the
 * error. */
int machine_begin(struct machine *machine, const struct machine_opts *o, const char *command);

/* Returns the time (CLOCK_MONOTONIC) at which the current interval ends. The ends are multiples of
 * the interval after the first cut, so the interval after a late cut is shorter. If a cut is late
 * by more than an interval, the missed ends are skipped. */
u64 machine_due_ns(const struct machine *machine);

/* Ends the interval and sets machine->report. Returns 0 or -errno, and prints the error. */
int machine_cut(struct machine *machine);

void machine_end(struct machine *machine);

#endif
