/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report: a measurement, and how it was made. show-json.h makes a JSON document of a report. A
 * sum has the counters, T and histogram of a set of accesses. T is the time in which at least one
 * of the accesses was in flight. A group is a cgroup or process. For the app layer, a preloaded
 * library counts the calls of a program. */
#ifndef IOSPAN_SHOW_H
#define IOSPAN_SHOW_H

#include <stdio.h>

#include "user/base/out.h"
#include "user/kernel/tracer.h"

struct report {
	const struct measurement *m;
	const struct tracer_options *options;
	const char *command;
	char **argv;
	const char *library;
	/* reason why the preloaded library cannot be used, and the remedy; NULL: the library can be
	 * used */
	const char *no_library;
	/* true: the report is about the whole machine, or about a cgroup or process that iospan did
	 * not start; false: it is about one command that iospan started */
	bool everybody;
	/* If iospan did not start the measured processes: name of the cgroup or process, or the
	 * directory given by --within; NULL: the whole machine. */
	const char *attached;
	int status;
	/* true if the measured command still runs, so the report does not cover its end */
	bool runs_on;
	bool asked;
	int left;	     /* number of processes of the command that are still running */
	bool has_histograms; /* true: the JSON of each sum has the histogram of its latencies */
	/* keys of the metrics of each sum, with NULL as the last element; if .keys is NULL: all
	 * metrics */
	const char *const *keys;
	/* note that says that pressure is not known; NULL: pressure is known, or was not
	 * requested */
	const char *no_pressure;
	/* note about the cgroup version to which I/O is attributed; NULL: no note */
	const char *hierarchy;
	/* maximum number of rows in the table of disks, and in the table of groups; 0: no limit. A
	 * further row has the sum of all rows that are not shown. */
	u64 top;
	/* number of cgroups in which the io controller is not enabled; their rows have no device
	 * I/O, because the kernel charges it to a parent */
	unsigned uncharged;
	/* .backends[i]: method by which layer i was watched; NULL: it was not watched. Only a
	 * report from a trace has this array. In other reports, .backends is NULL, and .options has
	 * the methods. */
	const char *const *backends;
	/* .missing[i]: fraction of T that the trace lacks at layer i. T is what the BPF programs
	 * measured. 0: nothing is missing, or the fraction is unknown. In a report that is not from
	 * a trace, .missing is NULL. */
	const double *missing;
	/* true: a filter excluded operations of the device layer but not the calls that wait for
	 * them, or the reverse. Then the time in which at least one of the two layers was busy is
	 * unknown. */
	bool no_joint;
};

bool report_has_layer(const struct report *r, int layer);

/* Returns true if @layer has numbers. The app layer has numbers if a program loaded the preloaded
 * library, or made io_uring or libaio requests. */
bool report_sees(const struct report *r, int layer);

/* Returns the method by which @layer was watched, such as "fentry". Returns NULL if it was not
 * watched. */
const char *report_backend(const struct report *r, int layer);

/* Returns how device I/O was attributed to cgroups. "io v2" and "blkio v1": to the cgroup that the
 * kernel charged by this controller. "task": to the cgroup of the submitting task. */
const char *report_charge(const struct report *r);

/* Returns the amplification: the bytes of @lower divided by the bytes of @upper, the sum of a layer
 * above. Returns NaN if @upper has no bytes. Also returns NaN if @lower has more bytes than
 * accesses of @upper can cause. Some of these bytes then have another cause, such as a sync of
 * pages that another process wrote. */
double show_amplification(const struct sum *lower, const struct sum *upper);

/* Returns show_amplification() of the layers @lower and @upper; NaN if one layer has no numbers. */
double report_amplification(const struct report *r, int lower, int upper);

/* Returns true if the disk had accesses or has some in flight. */
bool disk_is_used(const struct disk_sum *d);

/* ---- sentences ---- */

/* If completions were lost, returns a sentence with the estimated fractions of T. Otherwise returns
 * NULL. The caller frees the sentence. */
char *show_estimated_text(const struct measurement *m);
/* Returns one line with all losses that are not 0, and with the estimated fractions of T. The line
 * is empty if all losses are 0. The caller frees it. */
char *show_losses_line(const struct measurement *m);
/* Prints the losses that are not 0, and the sentence of show_estimated_text(). */
void show_losses_text(FILE *f, const struct measurement *m);
/* Returns a loss as text: "lost: 1 device completion never seen". The text has lost completions as
 * a fraction of @device_accesses, the accesses of the device layer; 0: not known. The caller frees
 * it. */
char *show_loss_text(const struct loss *l, u64 device_accesses);
/* Returns a text that says how each layer was measured, and how device I/O was attributed. The
 * caller frees the text. */
char *show_backends(const struct report *r);

#endif
