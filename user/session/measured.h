/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures one command of the user from exec to exit. Some functions below also serve the commands
 * that measure the whole machine, such as `stat`. */
#ifndef IOSPAN_MEASURED_H
#define IOSPAN_MEASURED_H

#include <limits.h>

#include "user/base/opt-common.h"
#include "user/session/session.h"
#include "user/show/show.h"

struct measured_opts {
	unsigned layers;
	unsigned by; /* kinds of rows in the report: bit i stands for measured_by[i] */
	bool cgroups;
	uint64_t max_groups;
	const char *parent, *attribution, *backend;
};
#define MEASURED_DEFAULTS_OF(l) \
	{ \
		.layers = (l), .by = 1, .max_groups = 4096, .attribution = "auto", \
		.backend = "auto" \
	}

/* Values of option --by: the kinds of rows that a report of a command can have. Rows of devices are
 * always there. Ends with NULL. */
extern const char *const measured_by[];

/* Returns true if the report has a row for each cgroup. */
static inline bool measured_by_cgroup(const struct measured_opts *o)
{
	return o->cgroups || o->by >> 1 & 1;
}

#define MEASURED_DEFAULTS MEASURED_DEFAULTS_OF((1 << LAYERS) - 1)
#define MEASURED_OPTS(o) \
	OPT_LAYERS(&(o).layers, layer_names), OPT_BY(&(o).by, measured_by), \
		OPT_MAX_GROUPS(&(o).max_groups), OPT_PARENT(&(o).parent), MEASURED_HOW_OPTS(o)
#define MEASURED_HOW_OPTS(o) \
	OPT_ATTRIBUTION(&(o).attribution), \
		OPT_STR(0, "backend", &(o).backend, "HOW", \
			"how the vfs layer is traced: 'tracepoint', 'fentry', 'auto'")

struct measured {
	/* Set by the caller: a function that is called after each poll of the tracer, or NULL. */
	void (*polled)(void *arg);
	void *polled_arg;
	/* The members from here to `parent` are set by measured_prepare(). The caller may change
	 * the options. */
	struct tracer_options options;
	enum charge charge;
	const char *parent;
	/* The members from here to `library` are set by measured_begin(). */
	struct tracer *tracer;
	struct session session;
	char library[PATH_MAX]; /* path of libiospan.so, which is preloaded into the command */
	/* Set by measured_run(). Before the command has ended, report.m is NULL. */
	struct report report;
};

/* Checks the options and the features of the kernel. Changes nothing outside of @m. Returns 0,
 * -EUSAGE or another -errno, and prints the error. */
int measured_prepare(struct measured *m, const struct measured_opts *o);

/* Sets has_fentry, has_io_uring and has_libaio by probing the running kernel. */
void measured_features(struct tracer_options *o);

/* Makes the cgroups, attaches the tracer and forks the child that will execute the command. The
 * child waits until measured_run(). From this call on, signals such as SIGINT no longer end this
 * process; the caller handles them. @name is iospan's command, such as "run", for the report.
 * Returns 0 or -errno, and prints the error. */
int measured_begin(struct measured *m, const char *name, char **argv);

/* Runs the command until it ends, measures it and removes its cgroups. Returns the command's exit
 * status (see session_wait()), or 126 or 127 if the command cannot be executed. Returns -errno
 * after another error, and prints it. */
int measured_run(struct measured *m, u64 poll_ns);

/* Detaches the tracer and frees the report. Does nothing if @m is zeroed. */
void measured_end(struct measured *m);

/* Sets @to to measure all processes in @cgroup and the cgroups below it. If @cgroup is NULL,
 * measures the processes of all cgroups. Returns 0 or -errno, and prints the error. */
int measured_target(struct tracer_options *to, enum charge charge, const char *cgroup);

/* Returns a note if the machine has cgroups of version 1, so that version 2 has none, and all I/O of a
 * layer counts in the cgroup '/'. Returns NULL if that is not so, or if @o selects no cgroups. */
const char *measured_flat_note(const struct tracer_options *o);

/* Waits until @end_ns (by now_ns()) and calls tracer_poll(@t) every @poll_ns, at least once.
 * @signals is a descriptor from signals_catch(). Returns false as soon as a signal arrives
 * there. */
bool measured_wait(struct tracer *t, int signals, u64 end_ns, u64 poll_ns);

#endif
