/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report: a measurement, and how it was made. show-json.h makes a JSON document of it. */
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
	/* reason why the preloaded library cannot be used, and the remedy; NULL: it can */
	const char *no_library;
	bool everybody; /* false: one command is measured */
	/* with @everybody: name of the only cgroup or process that is measured; NULL: the whole
	 * machine */
	const char *attached;
	int status;
	/* true if the measured command still runs; the result covers the time until now */
	bool runs_on;
	bool asked;
	int left;	     /* number of processes of the command that are still running */
	bool has_histograms; /* true: the JSON of each sum has the histogram of its latencies */
	/* keys of the metrics of each sum, ending with NULL; NULL: all metrics */
	const char *const *keys;
	/* note that pressure is not known; NULL: it is known, or was not requested */
	const char *no_pressure;
	/* note of measured_flat_note(): all I/O of a layer counts in the cgroup '/'; NULL: there is
	 * no note */
	const char *flat;
	/* number of disks and of groups that have a row; the others are summed up in one row; 0:
	 * all have a row */
	u64 top;
	/* number of cgroups without I/O of their own, because the kernel charges it to a parent */
	unsigned uncharged;
	/* Only for a report from a trace: how each layer was watched. An element is NULL if the
	 * layer was not watched. If .backends is NULL, .options says how the layers are watched. */
	const char *const *backends;
	/* Only for a report from a trace: .missing[layer] is the fraction of T that the kernel
	 * counted but the trace lacks; 0: none, or unknown. NULL: all are 0. */
	const double *missing;
};

bool report_has_layer(const struct report *r, int layer);

/* Returns true if @layer has numbers. The app layer has numbers if a program loaded the preloaded
 * library, or made io_uring or libaio requests. */
bool report_sees(const struct report *r, int layer);

/* Returns how @layer was watched, such as "fentry". NULL: it was not watched. */
const char *report_backend(const struct report *r, int layer);

/* Returns how device I/O was attributed to cgroups. "io v2" and "blkio v1": to the cgroup that this
 * controller charged. "task": to the cgroup of the submitting task. */
const char *report_charge(const struct report *r);

/* Returns the bytes of layer @lower divided by the bytes of layer @upper; NaN if one layer has no
 * numbers. */
double report_amplification(const struct report *r, int lower, int upper);

/* Returns true if the disk had accesses or has some in flight. */
bool disk_is_used(const struct disk_sum *d);

/* ---- sentences ---- */

/* Returns a sentence with the fractions of T that are estimated, because completions were lost.
 * Returns NULL if there are none. The caller frees it. */
char *show_estimated_text(const struct measurement *m);
/* Prints the losses that are not 0, and the sentence of show_estimated_text(). */
void show_losses_text(FILE *f, const struct measurement *m);
/* Returns a loss as text: "lost: 1 device completion never seen". The caller frees it. */
char *show_loss_text(const struct loss *l);
/* Returns how each layer was measured, as one text. The caller frees it. */
char *show_backends(const struct report *r);

#endif
