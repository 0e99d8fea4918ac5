/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures one command from exec to exit. Commands that measure the whole machine use its options,
 * measured_target() and measured_wait(). */
#ifndef IOSPAN_MEASURED_H
#define IOSPAN_MEASURED_H

#include <limits.h>

#include "user/base/opt-common.h"
#include "user/session/session.h"
#include "user/show/show.h"

struct measured_opts {
	unsigned layers;
	unsigned by; /* bits of measured_by */
	bool cgroups;
	uint64_t max_groups;
	const char *parent, *attribution, *backend;
};
#define MEASURED_DEFAULTS_OF(l) \
	{ \
		.layers = (l), .by = 1, .max_groups = 4096, .attribution = "auto", \
		.backend = "auto" \
	}

/* Rows that a report of a command may have; those of devices are always there. */
extern const char *const measured_by[];

/* Whether the report has a row for each cgroup. */
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
	/* set by the caller: called after each poll of the tracer, or NULL */
	void (*polled)(void *arg);
	void *polled_arg;
	/* set by measured_prepare(); the caller may change the options */
	struct tracer_options options;
	enum charge charge;
	const char *parent;
	/* set by measured_begin() */
	struct tracer *tracer;
	struct session session;
	char library[PATH_MAX]; /* path of the preloaded library */
	/* set by measured_run(); report.m is NULL until the command is measured */
	struct report report;
};

/* Checks the options and the kernel's features; changes nothing in the system. -EUSAGE or another
 * -errno, printed. */
int measured_prepare(struct measured *m, const struct measured_opts *o);

/* Sets the members of @o that depend on the kernel's features. */
void measured_features(struct tracer_options *o);

/* Makes the cgroups, attaches the tracer and forks the command, which waits for measured_run().
 * Signals are caught from then on. @name is iospan's command, for the report. -errno, printed. */
int measured_begin(struct measured *m, const char *name, char **argv);

/* Runs the command, measures it and removes the cgroups. Returns the command's status as
 * session_wait(), or session_go() if it could not be executed. -errno, printed. */
int measured_run(struct measured *m, u64 poll_ns);

/* Detaches the tracer and frees the report. Does nothing if @m is zeroed. */
void measured_end(struct measured *m);

/* For the whole machine: sets @to to measure the processes in @cgroup (NULL: in any) and below.
 * -errno, printed. */
int measured_target(struct tracer_options *to, enum charge charge, const char *cgroup);

/* Polls @t every @poll_ns until @end_ns, once at least. Returns false if a signal arrived on
 * @signals, a descriptor of signals_catch(). */
bool measured_wait(struct tracer *t, int signals, u64 end_ns, u64 poll_ns);

#endif
