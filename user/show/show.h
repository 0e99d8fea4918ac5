/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report: a measurement and how it was made. Prints it as text, or as JSON and CSV by show-json.h
 * and show-csv.h. */
#ifndef IOSPAN_SHOW_H
#define IOSPAN_SHOW_H

#include "user/base/out.h"
#include "user/kernel/tracer.h"

struct report {
	const struct measurement *m;
	const struct tracer_options *options;
	const char *command;	     /* of iospan: "run" */
	char **argv;		     /* of the measured command, NULL-terminated */
	const char *library;	     /* path of the preloaded library; NULL: not usable */
	const char *no_library;	     /* why it is not usable, and the remedy */
	bool everybody;		     /* the whole machine is measured, not a command */
	int status;		     /* exit status of the command */
	bool runs_on;		     /* the command has not ended: the result so far */
	bool asked;		     /* a signal interrupted the measurement */
	int left;		     /* processes of the command that go on */
	unsigned uncharged;	     /* cgroups charged to a parent by the kernel */
	const char *const *backends; /* recorded, per layer, NULL: not watched. NULL: see the
					* options */
};

/* ---- facts about the layers ---- */

/* Whether the options ask for @layer. */
bool report_has_layer(const struct report *r, int layer);

/* Whether @layer has numbers. The app layer has some if a program loaded the library or made
 * io_uring or libaio requests. */
bool report_sees(const struct report *r, int layer);

/* How @layer was watched; NULL: it was not. */
const char *report_backend(const struct report *r, int layer);

/* How device I/O was attributed to cgroups: "io v2", "blkio v1" or "task". */
const char *report_charge(const struct report *r);

/* Bytes of @lower divided by bytes of @upper; NaN if one has no numbers. */
double report_amplification(const struct report *r, int lower, int upper);

/* Whether the disk had accesses, or has some in flight. */
bool disk_is_used(const struct disk_sum *d);

/* T(a n b) = T(a) + T(b) - T(a u b), at least 0; @joint_ns is T(a u b). */
u64 overlap_ns(const struct sum *a, const struct sum *b, u64 joint_ns);

/* ---- text ---- */

void show(FILE *f, enum out_format format, const struct report *r);

/* Tables of layers, disks and cgroups, joint spans and amplification. */
void show_numbers_text(FILE *f, const struct report *r);

/* A table with a row per operation of each layer and disk. */
void show_parts_text(FILE *f, const struct report *r);

/* Losses, notes, with --verbose limits, and backends. */
void show_evidence_text(FILE *f, const struct report *r);
void show_losses_text(FILE *f, const struct measurement *m);
/* "lost: 1 device completion never seen". The caller frees the text. */
char *show_loss_text(const struct loss *l);
void show_backends_text(FILE *f, const struct report *r);

/* The cells of one table row from the metrics on, titles or values, and its end. */
void show_titles(struct table *t);
void show_sum(struct table *t, const struct sum *s);

#endif
