/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a result document as text, CSV and HTML. Views say which parts are shown, and how: a table
 * (with columns), a section (with inner views), or lines of text.
 *
 * A path names members: "targets", "random.ratio". '*' stands for each member of an array or object
 * that is not null: "cases.*" are rows of a table. An empty path is the document or section.
 * "a.*|b.*" are the matches of both. In a column, "type=scatter" is the array's element with that
 * text at that key.
 *
 * Paths of columns and inner views start at the row or section. '^' goes back to the member of the
 * previous '*', and '@' is a member's name: in "devices.*.operations.*", "^name" is the device, "@"
 * the operation, "bytes" a number of the row. A path that starts with '=' is the text after it. */
#ifndef IOSPAN_RESULT_VIEW_H
#define IOSPAN_RESULT_VIEW_H

#include <stdbool.h>

#include "user/result/place.h"

enum view_kind {
	VIEW_BY_UNIT, /* by the path's unit: "elapsed_ns"; else by a member above */
	VIEW_NAME,    /* a key, shown as by value_name() */
	VIEW_COUNT,
	VIEW_DIGITS, /* all digits */
	VIEW_BYTES,
	VIEW_TIME, /* a time, from ns */
	VIEW_RATE,
	VIEW_BYTE_RATE,
	VIEW_RATIO,
	VIEW_FRACTION, /* such as 0.972 or <0.001 */
	VIEW_PER_CENT, /* from a fraction */
};

struct view_column {
	const char *path;
	const char *title; /* NULL: last word of the path, by value_name() */
	enum view_kind kind;
	const char *unit_of;   /* a path of a text with the unit, such as "bytes_per_second" */
	const char *deviation; /* a path: the value is followed by "+-1.2 %"; NULL: it is not */
	/* paths of fractions: if they are above 0, the value has METRIC_ESTIMATED, METRIC_SHORT */
	const char *estimated, *missing;
	const char *starred; /* a path of a bool: if it is true, "*" follows the text */
	const char *none;    /* shown if there is no value; NULL: "-" */
	const char *mark;    /* shown for true; NULL: "yes" */
	bool is_extra;	     /* only in CSV */
};

#define COLUMN(p, ...) \
	{ \
		.path = p, __VA_ARGS__ \
	}
#define COLUMN_OF(p, t, k) \
	{ \
		.path = p, .title = t, .kind = k \
	}

struct view {
	const char *path;
	const char *title;		   /* heading, or NULL */
	const char *title_of;		   /* a path of the heading, instead of @title */
	const struct view_column *columns; /* ends with a NULL path */
	const struct view *inner;	   /* ends with a NULL path */
	unsigned left;			   /* columns that are aligned at the left */
	unsigned most;			   /* rows of text; 0: all */
	/* Paths: leaves out rows and sections in which both have no value, false or 0. */
	const char *only_with, *or_with;
	bool is_csv;	 /* rows of --csv; the first such table has the titles */
	bool is_hidden;	 /* not in text and HTML */
	bool is_verbose; /* text and HTML only with --verbose */
	bool is_note;	 /* each line has "note:" in front */
	bool is_head;	 /* last view before the plots in HTML */
	bool warns;	 /* with CSV, lines are warnings; without is_note, of a loss */
};

#define VIEW(p, ...) \
	{ \
		.path = p, __VA_ARGS__ \
	}

/* @doc: whole document (place.h). @views ends with a NULL path. Errors stay in @f: out_finish(). */
void view_text(FILE *f, const struct place *doc, const struct view *views);
void view_csv(FILE *f, const struct place *doc, const struct view *views);
/* Print titles or rows of one CSV table of several documents. They start with columns @lead. */
void view_csv_titles(FILE *f, const struct view *views, const struct view_column *lead);
void view_csv_rows(FILE *f, const struct place *doc, const struct view *views,
		   const struct view_column *lead);
/* Writes tables and lines into a page, up to the view with is_head. Returns the views after it. */
const struct view *view_html(FILE *f, const struct place *doc, const struct view *views);

#endif
