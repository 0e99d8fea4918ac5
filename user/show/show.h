/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A measurement as a report: text, JSON or CSV. */
#ifndef IOSPAN_SHOW_H
#define IOSPAN_SHOW_H

#include "user/base/out.h"
#include "user/kernel/tracer.h"

/* What a report says besides the numbers. */
struct report {
	const struct measurement *m;
	const struct tracer_options *options;
	const char *command;	     /* iospan's own: "run" */
	char **argv;		     /* the measured one, NULL-ended */
	const char *library;	     /* path of the preloaded one; NULL: it cannot be used */
	const char *no_library;	     /* why not, and the remedy */
	bool everybody;		     /* no command: what ran */
	int status;		     /* exit status of the command */
	bool runs_on;		     /* it had not ended: the result so far */
	bool asked;		     /* we were, to end it */
	int left;		     /* processes that live on */
	unsigned uncharged;	     /* groups whose I/O the kernel charges further up */
	const char *const *backends; /* of each layer, NULL: not watched; as somebody has
					 * recorded. NULL: as the options say */
};

void show(FILE *f, enum out_format format, const struct report *r);

/* All numbers: a table of layers, those below, joint spans and amplification. */
void show_numbers_text(FILE *f, const struct report *r);
void show_numbers_json(struct out *doc, const struct report *r);

/* A table with a row per layer, disk and operation. */
void show_parts_text(FILE *f, const struct report *r);

/* What the numbers rest on: losses, notes, how each layer was watched. */
void show_evidence_text(FILE *f, const struct report *r);
void show_evidence_json(struct out *doc, const struct report *r);

/* What was lost, and how each layer was watched: parts of that. */
void show_losses_text(FILE *f, const struct measurement *m);
void show_backends_text(FILE *f, const struct report *r);
struct out *show_backends_json(const struct report *r);

/* A layer, or NULL; and the list of disks. */
struct out *show_layer_json(const struct report *r, int layer);
struct out *show_devices_json(const struct report *r);

/* Columns of a table with a row per set: their titles, or the values of one, and the end
 * of the row. */
void show_titles(struct table *t);
void show_sum(struct table *t, const struct sum *s);
/* The same in CSV, with all metrics. */
void show_csv_titles(struct table *t);
void show_csv_sum(struct table *t, const char *layer, const char *part, const char *op,
		  const struct sum *s);
/* Only the metrics that @has; the others are empty. */
void show_csv_some(struct table *t, const char *layer, const char *part, const char *op,
		   const struct sum *s, bool (*has)(const struct metric *m));
void show_csv_numbers(struct table *t, const struct report *r);

/* ---- the parts, one file each ---- */

void show_json(FILE *f, const struct report *r);
/* The JSON document itself, not sealed yet; the caller's. */
struct out *show_document(const struct report *r);

/* A layer has a column when somebody watched it. At the app layer that takes a
 * program with the preloaded library, or requests that need none. */
bool report_sees(const struct report *r, int layer);

/* How device I/O was told apart: "io v2", "blkio v1" or "task". */
const char *report_charge(const struct report *r);
const char *report_backend(const struct report *r, int layer);

/* What the reader must know to read the numbers right: calls @note with each
 * sentence. */
void report_notes(const struct report *r, void (*note)(void *arg, const char *text), void *arg);

/* A disk has rows when it had accesses, or has some in flight. */
bool disk_is_used(const struct disk_sum *d);

/* Bytes or T of one layer against another; NaN when one is not there. */
double report_amplification(const struct report *r, int lower, int upper);
/* T(a n b) = T(a) + T(b) - T(a u b), never below 0. */
u64 overlap_ns(const struct sum *a, const struct sum *b, u64 joint_ns);

#endif
