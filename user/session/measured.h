/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures one command from exec to exit. The commands that measure the whole machine also use the
 * options, measured_target() and measured_wait(). */
#ifndef IOSPAN_MEASURED_H
#define IOSPAN_MEASURED_H

#include <limits.h>

#include "user/base/opt-common.h"
#include "user/session/session.h"
#include "user/show/show.h"

struct measured_opts {
	unsigned layers;
	unsigned by; /* bit mask of indices in measured_by */
	bool cgroups;
	uint64_t max_groups;
	const char *parent, *attribution, *backend;
};
#define MEASURED_DEFAULTS_OF(l) \
	{ \
		.layers = (l), .by = 1, .max_groups = 4096, .attribution = "auto", \
		.backend = "auto" \
	}

/* The kinds of rows that a report of a command may have. It always has rows of devices. */
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
	/* Set by measured_prepare(). The caller may change the options. */
	struct tracer_options options;
	enum charge charge;
	const char *parent;
	/* Set by measured_begin(). */
	struct tracer *tracer;
	struct session session;
	char library[PATH_MAX]; /* path of the preloaded library libiospan.so */
	/* Set by measured_run(). report.m is NULL until the command was measured. */
	struct report report;
};

/* Checks the options and the features of the kernel, and changes nothing in the system. Returns 0,
 * -EUSAGE or another -errno, and prints the error. */
int measured_prepare(struct measured *m, const struct measured_opts *o);

/* Sets the members of @o that depend on the kernel's features. */
void measured_features(struct tracer_options *o);

/* Makes the cgroups, attaches the tracer and forks the command, which waits for measured_run().
 * This process catches signals from then on. @name is iospan's command, for the report. Returns 0
 * or -errno, and prints the error. */
int measured_begin(struct measured *m, const char *name, char **argv);

/* Runs the command, measures it and removes the cgroups. Returns the exit status that
 * session_wait() returns or, if the command could not be executed, session_go(). Returns -errno
 * after another error, and prints it. */
int measured_run(struct measured *m, u64 poll_ns);

/* Detaches the tracer and frees the report. Does nothing if @m is zeroed. */
void measured_end(struct measured *m);

/* Sets @to to measure the whole machine: all processes in @cgroup and below, or in any cgroup if it
 * is NULL. Returns 0 or -errno, and prints the error. */
int measured_target(struct tracer_options *to, enum charge charge, const char *cgroup);

/* Polls @t every @poll_ns until @end_ns, at least once. Returns false if a signal arrived on
 * @signals, a file descriptor from signals_catch(). */
bool measured_wait(struct tracer *t, int signals, u64 end_ns, u64 poll_ns);

#endif
