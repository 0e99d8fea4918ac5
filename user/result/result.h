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
	/* Writes plots into the page. Returns 0 or -errno; prints the error. NULL: none. */
	int (*plots)(FILE *f, const void *arg);
	const void *arg;	 /* of plots() */
	const struct made *made; /* arrays that @doc has only in JSON; see place.h. NULL: none */
	const struct made *page_made; /* as .made, for the HTML page; NULL: .made */
};

/* Prints the result to r->to in @format and, if @html has a path, also as an HTML page. Returns 0
 * or -errno; prints the error. */
int result_print(const struct result *r, enum out_format format, struct output *html);

/* The format that --json and --csv ask for. */
enum out_format out_format(bool json, bool csv);

#endif
