/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a result document as text, CSV and HTML. A view describes how a part of the document is
 * shown: as a table (with columns), as a section (with inner views), or as lines of text.
 *
 * A path leads to members of the document by their keys, such as "targets" or "random.ratio":
 *
 * - '*' stands for each member of an array or object that is not null. For example, "cases.*" gives
 *   a table with one row per case.
 * - "a.*|b.*" gives the rows of "a.*" and then the rows of "b.*".
 * - "type=scatter", in a column, is the element of an array that has the text "scatter" at the key
 *   "type".
 * - An empty path is the document or section itself.
 *
 * Paths of columns and inner views start at the row or section. '^' goes back to the member of the
 * previous '*', and '@' is a member's name. For example, in rows of "devices.*.operations.*",
 * "^name" is the name of the device, "@" the operation, and "bytes" a number of the row. A path
 * that starts with '=' is no path, but the text to show: "=total" shows "total". */
#ifndef IOSPAN_RESULT_VIEW_H
#define IOSPAN_RESULT_VIEW_H

#include <stdbool.h>
#include <stdio.h>

#include "user/result/place.h"

enum view_kind {
	/* The kind follows from the unit at the end of the path, such as "_ns" in "elapsed_ns". If
	 * the path has no unit, the keys of the enclosing members are searched for a unit, the
	 * nearest first. */
	VIEW_BY_UNIT,
	VIEW_NAME, /* a key of the document as people read it, such as "memory limit bytes" */
	VIEW_COUNT,
	VIEW_DIGITS, /* a number with all digits */
	VIEW_BYTES,
	VIEW_TIME, /* a time; the value is in ns */
	VIEW_RATE,
	VIEW_BYTE_RATE,
	VIEW_RATIO,
	VIEW_FRACTION,	  /* a fraction, shown as 0.972 or <0.001 */
	VIEW_COEFFICIENT, /* a coefficient of correlation, shown with 3 decimals */
	VIEW_PER_CENT,	  /* a fraction, shown as a percentage */
	VIEW_PLAIN,	  /* a metric without its unit; the title of the column has the unit */
	VIEW_PLAIN_TIME,  /* a time in ms without its unit; the title of the column has the unit */
	VIEW_BAR,	  /* a fraction, shown as a bar */
};

struct view_column {
	const char *path;
	/* title of the column; NULL: value_name() of the last word of the path */
	const char *title;
	enum view_kind kind;
	const char *unit_of; /* path of a text that is the unit, such as "bytes_per_second" */
	/* path of a deviation, which is shown after the value as "+-1.2 %"; NULL: none */
	const char *deviation;
	/* Paths of two fractions of T, the time in which accesses were in flight: the fraction that
	 * is estimated, and the fraction that is missing. If the first is above 0, the value gets
	 * the mark METRIC_ESTIMATED. If the second is above 0, the value gets the mark
	 * METRIC_SHORT. */
	const char *estimated, *missing;
	const char *starred; /* path of a bool; if the bool is true, "*" follows the text */
	const char *none;    /* text that is shown if there is no value; NULL: "-" */
	const char *mark;    /* text that is shown for true; NULL: "yes" */
	const char *off;     /* text that is shown for false; NULL: none */
	bool is_extra;	     /* true: the column is only in CSV */
	/* Path that starts at the section (or document) that contains the table. If the path has no
	 * value, text and HTML leave out the column. NULL: the column is always shown. */
	const char *only_with;
};

#define COLUMN(p, ...) \
	{ \
		.path = p, __VA_ARGS__ \
	}
#define COLUMN_OF(p, t, k) \
	{ \
		.path = p, .title = t, .kind = k \
	}

/* Sets view.columns to the columns in the arguments. */
#define COLUMN_LIST(...) \
	.columns = (const struct view_column[]) \
	{ \
		__VA_ARGS__, \
		{ \
		} \
	}

struct view {
	const char *path;
	/* Heading of a table or section, or start of a line. value_fill() replaces "{path}" with
	 * the value at the path. NULL: none. */
	const char *title;
	/* Content of the first column in text and HTML. value_fill() replaces "{path}" with the
	 * value at the path. */
	const char *name;
	const struct view_column *columns; /* the last element has a NULL path */
	const struct view *inner;	   /* the last element has a NULL path */
	unsigned left;			   /* number of columns that are aligned at the left */
	unsigned most;			   /* maximum number of rows in text; 0: all */
	/* Makes an array of rows from the member at .path. The caller frees the array. NULL: the
	 * members at .path are the rows. */
	struct out *(*make)(const struct out *member);
	/* Paths, separated by '|'. A row or section is shown if one of these paths has a value
	 * other than false, 0 or an empty array. NULL: all are shown. */
	const char *only_with;
	/* Singular of the members of a list, such as "process". If .limited is set, each section
	 * is the histogram of one member, and only the first members have a section (place.h:
	 * most). After the last view with the same .limited, a note states how many members have
	 * none. NULL: all members have sections. */
	const char *limited;
	/* true: --csv prints the rows; the titles of the columns are those of the first view with
	 * is_csv */
	bool is_csv;
	bool is_hidden;	 /* true: the view is not in text and HTML */
	bool is_more;	 /* true: the rows are added to the table of the previous view */
	bool is_dense;	 /* true: in text, the table has no indentation and no empty lines */
	bool is_verbose; /* true: text and HTML output have this view only with --verbose */
	bool is_note;	 /* true: each line has "note:" in front */
	bool is_head;	 /* true: in HTML, the plots follow this view */
	/* if true, --csv prints each line as a warning: by warn() if the line is a note, otherwise
	 * by warn_loss() */
	bool warns;
};

#define VIEW(p, ...) \
	{ \
		.path = p, __VA_ARGS__ \
	}

/* Counters for the note "5 more processes have no histogram here", see view.limited. */
struct view_limit {
	u64 most; /* number of members that have a histogram; 0: all */
	u64 rest; /* number of members after the first .most; they have no histogram */
};

/* Returns true if view @v leaves out @at, a member of a list. This is so if v->limited is set and
 * @at comes after the first l->most members. If l->most is 0, no member is left out. */
bool view_is_beyond(const struct view *v, const struct place *at, struct view_limit *l);
/* Call this after each view @v. Successive views with the same .limited show the same list. If
 * @v is the last of these views, and members were left out, returns a note with their number.
 * Otherwise, or with --quiet, returns NULL. The caller frees the note. */
char *view_rest(const struct view *v, struct view_limit *l);

bool view_is_left_out(const struct view *v, const struct place *at);

bool view_is_shown(const struct view *v);

/* Returns true if a table in text or HTML shows the column @c. @from is the section (or document)
 * that contains the table. */
bool view_has_column(const struct view_column *c, const struct place *from);

/* Returns the title of the view, with values of @at filled in; NULL: there is no title. The caller
 * frees the title. */
char *view_heading(const struct view *v, const struct place *at);

/* Returns the value of the member @at as text for people. The caller frees it. */
char *view_line(const struct place *at);

void view_each_row(const struct view *v, const struct place *from,
		   void (*fn)(void *arg, const struct place *at), void *arg);

/* Print the views of the document @doc (place.h). The last element of @views has a NULL path. These
 * functions do not check @f for write errors; out_finish() does so later. */
void view_text(FILE *f, const struct place *doc, const struct view *views);
void view_csv(FILE *f, const struct place *doc, const struct view *views);
/* Print one CSV table for several documents. Call view_csv_titles() first, then view_csv_rows() for
 * each document. Each line starts with the columns @lead, which have the same values in all rows of
 * a document. */
void view_csv_titles(FILE *f, const struct view *views, const struct view_column *lead);
void view_csv_rows(FILE *f, const struct place *doc, const struct view *views,
		   const struct view_column *lead);

#endif
