/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command's result: a JSON document and its views (view.h). */
#ifndef IOSPAN_RESULT_RESULT_H
#define IOSPAN_RESULT_RESULT_H

#include "user/base/output.h"
#include "user/result/view.h"

struct result {
	const char *title; /* title of the page, in HTML */
	struct out *doc;   /* owned by the caller; result_print() completes and seals it */
	const struct view *views;
	struct output *to; /* file of the result; NULL, or with a NULL path: stdout */
	/* true: a command has used stdout, so the default is stderr, and text starts with an empty
	 * line */
	bool has_command;
	/* prints more text after the views; NULL: nothing */
	void (*after_text)(FILE *f, const struct out *doc);
	/* Writes plots into the HTML page. Returns 0 or -errno; prints the error. NULL: the result
	 * has no plots. */
	int (*plots)(FILE *f, const void *arg);
	const void *arg; /* argument of plots() */
	/* arrays of the document that are too large for memory (place.h); NULL: none */
	const struct made *made;
};

/* Prints the result to r->to in @format and, if @html has a path, also as an HTML page. Returns 0
 * or -errno; prints the error. */
int result_print(const struct result *r, enum out_format format, struct output *html);

/* The format that --json and --csv ask for. */
enum out_format out_format(bool json, bool csv);

#endif
