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
	/* true: iospan has run a command, which used stdout. So the result goes to stderr by
	 * default, and text starts with an empty line. */
	bool has_command;
	/* Writes plots into the page. Returns 0 or -errno; prints the error. NULL: none. */
	int (*plots)(FILE *f, const void *arg);
	const void *arg; /* argument of plots() */
	/* arrays that are added to @doc only for JSON, see struct made; NULL: none */
	const struct made *made;
	const struct made *page_made; /* arrays for the HTML page; NULL: those of .made */
};

/* Prints the result to r->to in @format and, if @html has a path, also as an HTML page. Returns 0
 * or -errno; prints the error. */
int result_print(const struct result *r, enum out_format format, struct output *html);

/* Returns the format that the options --json and --csv select. */
enum out_format out_format(bool json, bool csv);

#endif
