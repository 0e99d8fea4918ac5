/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures a command that iospan runs, from exec to exit. The tracer is the BPF programs and the
 * code that reads their counters. `stat` and `top` use some of the functions, too. */
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
	const char *disks; /* measure only these disks: names, numbers or patterns; NULL: all */
};
#define MEASURED_DEFAULTS_OF(l) \
	{ \
		.layers = (l), .by = 1, .max_groups = 4096, .attribution = "auto", \
		.backend = "auto" \
	}

/* values of option --by, the kinds of rows in the report; ends with NULL */
extern const char *const measured_by[];

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
			"how the vfs layer is traced: 'tracepoint', 'kprobe', 'fentry', 'auto'")

struct measured {
	/* function that measured_run() calls after each tracer_poll(); set by the caller of
	 * measured_begin(); NULL: none */
	void (*polled)(void *arg);
	void *polled_arg;
	/* measured_prepare() sets .options, .charge and .parent. The caller may then change
	 * .options. */
	struct tracer_options options;
	enum charge charge;
	const char *parent;
	/* measured_begin() sets .tracer, .session and .library. attached_run() sets .tracer and
	 * .attached. */
	struct tracer *tracer;
	struct session session;
	char attached[PATH_MAX]; /* name of the cgroup or process that attached_run() measures */
	char library[PATH_MAX];	 /* path of libiospan.so, which is preloaded into the command */
	/* Result, which measured_run() or attached_run() sets. Before the end of the measurement,
	 * report.m is NULL. */
	struct report report;
};

/* Checks the options and the features of the kernel. Changes nothing outside of @m. Returns 0,
 * -EUSAGE or another -errno; prints the error. */
int measured_prepare(struct measured *m, const struct measured_opts *o);

/* Finds out what the running kernel supports, and sets .has_fentry, .has_io_uring and .has_libaio.
 * Then chooses how the vfs layer is traced (.backend), and if page faults are traced (.faults). */
void measured_features(struct tracer_options *o);

/* Makes the cgroups, attaches the tracer, and forks a child that waits for measured_run(). After
 * the call, signals such as SIGINT do not end iospan; the caller handles them. @name is the name of
 * the iospan command, such as "run", for the report. Returns 0 or -errno; prints the error. */
int measured_begin(struct measured *m, const char *name, char **argv);

/* Runs and measures the command, and removes its cgroups. Returns the command's exit status
 * (command_wait()). If the command cannot be executed, returns 126 or 127. After another error,
 * prints the error and returns -errno. */
int measured_run(struct measured *m, u64 poll_ns);

/* Detaches the tracer and frees the report. Does nothing if @m is zeroed. */
void measured_end(struct measured *m);

/* Sets the options @to so that the tracer measures @cgroup and the cgroups below it; NULL: all
 * cgroups. Returns 0 or -errno; prints the error. */
int measured_target(struct tracer_options *to, enum charge charge, const char *cgroup);

/* Returns true if device I/O is attributed to the blkio cgroup (version 1) that the kernel
 * charges. */
bool measured_is_by_blkio(const struct tracer_options *o);

/* Some machines have cgroups of both versions, and I/O is attributed to only one version. Returns a
 * note if the user may look for cgroups of the other version:
 *
 * - I/O is attributed to version 1, but cgroups of version 2 have processes.
 * - I/O is attributed to version 2, in which only '/' has processes.
 *
 * Otherwise, or if @o selects no cgroups, returns NULL. */
const char *measured_hierarchy_note(const struct tracer_options *o);

/* Returns a note if @o selects pressure (PSI), and the kernel does not measure it for the machine
 * (in @m) or for the cgroups. Otherwise returns NULL. */
const char *measured_no_pressure(const struct tracer_options *o, const struct measurement *m);

/* Waits until @end_ns (on the clock of now_ns()), and calls tracer_poll(@t) every @poll_ns, at
 * least once. Then returns true. @signals is a descriptor from signals_catch(). If a signal arrives
 * at this descriptor, returns false at once. */
bool measured_wait(struct tracer *t, int signals, u64 end_ns, u64 poll_ns);

#endif
