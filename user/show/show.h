/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report: a measurement and how it was made. show-json.h makes a document of it. */
#ifndef IOSPAN_SHOW_H
#define IOSPAN_SHOW_H

#include "user/base/out.h"
#include "user/kernel/tracer.h"

struct report {
	const struct measurement *m;
	const struct tracer_options *options;
	const char *command;	/* the command of iospan, such as "run" */
	char **argv;		/* arguments of the measured command, ending with NULL */
	const char *library;	/* path of the preloaded library; NULL: it cannot be used */
	const char *no_library; /* why the library cannot be used, and the remedy */
	bool everybody;		/* true if the whole machine is measured; false: one command */
	int status;		/* exit status of the measured command */
	/* true if the measured command still runs; the result covers the time until now */
	bool runs_on;
	bool asked;	     /* true if a signal interrupted the measurement */
	int left;	     /* number of processes of the command that are still running */
	bool has_histograms; /* true: the JSON of each sum has the histogram of its latencies */
	/* keys of the metrics of each sum, ending with NULL; NULL: all metrics */
	const char *const *keys;
	u64 top;	    /* disks and groups that have a row; the others are summed; 0: all */
	unsigned uncharged; /* number of cgroups for which the kernel charges a parent */
	/* Only for a report from a trace: how each layer was watched, NULL: the layer was not
	 * watched. If the array itself is NULL, @options says how. */
	const char *const *backends;
};

/* ---- facts about the layers ---- */

/* Returns true if the options select @layer. */
bool report_has_layer(const struct report *r, int layer);

/* Returns true if @layer has numbers. The app layer has numbers if a program loaded the library or
 * made io_uring or libaio requests. */
bool report_sees(const struct report *r, int layer);

/* Returns how @layer was watched, such as "fentry". NULL: it was not watched. */
const char *report_backend(const struct report *r, int layer);

/* Returns how device I/O was attributed to cgroups: "io v2" or "blkio v1", the controller that
 * charged it, or "task". */
const char *report_charge(const struct report *r);

/* Returns the bytes of layer @lower divided by the bytes of layer @upper. NaN if one of them has no
 * numbers. */
double report_amplification(const struct report *r, int lower, int upper);

/* Returns true if the disk had accesses or has some in flight. */
bool disk_is_used(const struct disk_sum *d);

/* Returns the time in which @a and @b both had accesses in flight: T(a n b) = T(a) + T(b) - T(a u
 * b), but at least 0. @joint_ns is T(a u b). */
u64 overlap_ns(const struct sum *a, const struct sum *b, u64 joint_ns);

/* ---- sentences ---- */

/* Prints the losses that are not 0. */
void show_losses_text(FILE *f, const struct measurement *m);
/* Returns a loss as text: "lost: 1 device completion never seen". The caller frees it. */
char *show_loss_text(const struct loss *l);
/* Returns how each layer was measured, as one text. The caller frees it. */
char *show_backends(const struct report *r);

#endif
