/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command's result: a JSON document and its views. A view describes how a part of the document is
 * shown, such as a table (view.h). "struct made" describes an array that is too large for memory:
 * its elements are made one by one when it is printed (place.h). */
#ifndef IOSPAN_RESULT_RESULT_H
#define IOSPAN_RESULT_RESULT_H

#include "user/base/output.h"
#include "user/result/view.h"

struct result {
	const char *title; /* title of the page, in HTML */
	/* The document, which the caller owns. For JSON, result_print() adds a hash of the
	 * document, and the arrays of .made (below). */
	struct out *doc;
	const struct view *views;
	/* output for the result. If it is NULL or has a NULL path, the result goes to stdout or, if
	 * .has_command is true, to stderr. */
	struct output *to;
	/* true: iospan has run a command, which used stdout. The result then goes to stderr by
	 * default, and its text starts with an empty line. */
	bool has_command;
	/* Writes plots into the HTML page. Returns 0 or -errno; prints the error. NULL: no
	 * plots. */
	int (*plots)(FILE *f, const void *arg);
	const void *arg; /* argument of plots() */
	/* Arrays that are too large to store in the document (place.h). The views make their
	 * elements one by one. For JSON, result_print() adds the arrays to the document. NULL:
	 * none. */
	const struct made *made;
	/* used instead of .made in the HTML page; NULL: the page, too, uses .made */
	const struct made *page_made;
	/* A view with .limited (view.h) shows a histogram per member of a list, such as per
	 * process, but only for the first .most members. 0: for all members. */
	u64 most;
};

/* Prints the result to r->to in @format. If html->path is not NULL, also prints the result as an
 * HTML page. Returns 0 or -errno; prints the error. */
int result_print(const struct result *r, enum out_format format, struct output *html);

enum out_format out_format(bool json, bool csv);

#endif
