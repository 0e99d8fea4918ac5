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
	/* by the unit in the path, such as "elapsed_ns", else by the unit of a member above */
	VIEW_BY_UNIT,
	VIEW_NAME, /* a key, shown as by value_name() */
	VIEW_COUNT,
	VIEW_DIGITS, /* a number with all digits */
	VIEW_BYTES,
	VIEW_TIME, /* a time; the value is in ns */
	VIEW_RATE,
	VIEW_BYTE_RATE,
	VIEW_RATIO,
	VIEW_FRACTION, /* a fraction, such as 0.972 or <0.001 */
	VIEW_PER_CENT, /* a percentage; the value is a fraction */
};

struct view_column {
	const char *path;
	/* title of the column; NULL: last word of the path, as value_name() returns it */
	const char *title;
	enum view_kind kind;
	const char *unit_of; /* path of a text that is the unit, such as "bytes_per_second" */
	/* path of a deviation, which is shown after the value as "+-1.2 %"; NULL: none */
	const char *deviation;
	/* paths of fractions: if one is above 0, the value is marked with METRIC_ESTIMATED or
	 * METRIC_SHORT */
	const char *estimated, *missing;
	const char *starred; /* path of a bool: if it is true, "*" follows the text */
	const char *none;    /* text that is shown if there is no value; NULL: "-" */
	const char *mark;    /* text that is shown for true; NULL: "yes" */
	bool is_extra;	     /* true: the column is only in CSV */
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
	const char *title; /* heading of the section or table; NULL: none */
	/* path of a text that is the heading, instead of .title */
	const char *title_of;
	const struct view_column *columns; /* columns of a table; the last has a NULL path */
	const struct view *inner;	   /* views inside a section; the last has a NULL path */
	unsigned left;			   /* number of columns that are aligned at the left */
	unsigned most;			   /* maximum number of rows in text; 0: no limit */
	/* Paths: leaves out rows and sections in which both have no value, false or 0. .or_with may
	 * be NULL. */
	const char *only_with, *or_with;
	bool is_csv;	 /* true: --csv prints the rows; the first such table has the titles */
	bool is_hidden;	 /* true: the view is not in text and HTML */
	bool is_verbose; /* true: text and HTML show the view only with --verbose */
	bool is_note;	 /* true: each line starts with "note:" */
	bool is_head;	 /* true: in HTML, this is the last view before the plots */
	/* true: with CSV, the lines are printed as warnings; without .is_note, as warnings about a
	 * loss */
	bool warns;
};

#define VIEW(p, ...) \
	{ \
		.path = p, __VA_ARGS__ \
	}

/* Prints @views of the document @doc as text. @views ends with a NULL path. A write error stays in
 * @f, so that out_finish() reports it. */
void view_text(FILE *f, const struct place *doc, const struct view *views);
void view_csv(FILE *f, const struct place *doc, const struct view *views);
/* Print the titles, or the rows, of one CSV table of several documents. They start with the columns
 * @lead of the whole document. */
void view_csv_titles(FILE *f, const struct view *views, const struct view_column *lead);
void view_csv_rows(FILE *f, const struct place *doc, const struct view *views,
		   const struct view_column *lead);
/* Writes tables and lines into an HTML page, up to the view with .is_head. Returns the views after
 * this one. */
const struct view *view_html(FILE *f, const struct place *doc, const struct view *views);

#endif
