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

/* A table with a row per layer, disk and operation. */
void show_parts_text(FILE *f, const struct report *r);

/* What the numbers rest on: losses, notes, how each layer was watched. */
void show_evidence_text(FILE *f, const struct report *r);

/* What was lost, and how each layer was watched: parts of that. */
void show_losses_text(FILE *f, const struct measurement *m);
void show_backends_text(FILE *f, const struct report *r);

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

#endif
