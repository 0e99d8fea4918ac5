/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One command, measured from its begin to its end, or what runs: what `run`, `record` and
 * `stat` share. */
#ifndef IOSPAN_MEASURED_H
#define IOSPAN_MEASURED_H

#include "user/base/opt-common.h"
#include "user/session/session.h"
#include "user/show/show.h"

/* What the user says about how to measure. */
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

#define MEASURED_DEFAULTS MEASURED_DEFAULTS_OF((1 << LAYERS) - 1)
#define MEASURED_OPTS(o) \
	OPT_LAYERS(&(o).layers, layer_names), OPT_BY(&(o).by, measured_by), \
		OPT_UINT(0, "max-groups", &(o).max_groups, "N", \
			 "largest number of cgroups with a row"), \
		OPT_PARENT(&(o).parent), MEASURED_HOW_OPTS(o)
#define MEASURED_HOW_OPTS(o) \
	OPT_STR(0, "attribution", &(o).attribution, "HOW", \
		"how device I/O is attributed to a cgroup: 'kernel' (to the cgroup that the " \
		"kernel " \
		"charges), 'task' (to that of the submitting task), 'auto'"), \
		OPT_STR(0, "backend", &(o).backend, "HOW", \
			"how the vfs layer is traced: 'tracepoint', 'fentry', 'auto'")

/* How it is done; the caller fills in the functions, which get @arg. */
struct measured {
	struct tracer_options options;
	enum charge charge;
	const char *parent;
	bool groups; /* of which some may be charged elsewhere: look */
	u64 poll_ns;
	/* The programs are there, the command has not begun. NULL: nothing to do. */
	int (*ready)(void *arg, struct tracer *t);
	/* All is measured, the command's group is gone. */
	int (*done)(void *arg, const struct report *r);
	void *arg;
};

/* Checks what the user said and what the kernel offers: before anything is touched.
 * -EUSAGE and others, printed. */
int measured_prepare(struct measured *m, const struct measured_opts *o);

/* Runs @argv as `iospan @name` does. Its status as a shell gives it, or -errno, printed. */
int measured_run(const struct measured *m, const char *name, char **argv);

/* No command: whose accesses count is what runs in @cgroup (NULL: anywhere) or below. -errno,
 * printed. */
int measured_target(struct tracer_options *to, enum charge charge, const char *cgroup);

/* Lets @t go on until @end_ns. False: a signal came before, on what signals_catch() gave. */
bool measured_wait(struct tracer *t, int signals, u64 end_ns, u64 poll_ns);

#endif
