/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a result document as text, CSV and HTML.
 *
 * A command stores its result once, as a JSON document (out.h). An array of struct view describes
 * which parts of it are shown, and how. All formats thus have the same numbers. A view is a table
 * if it has columns, a section with a heading if it has inner views, and lines of text otherwise.
 *
 * A path names members of the document: "targets", "random.ratio". '*' stands for each member of
 * an array or object that is not null: "cases.*" are the rows of a table. An empty path is the
 * document or section itself. A path without a match prints nothing. The matches of "a.*|b.*" are
 * those of both paths, one after the other. In the path of a column, "type=scatter" is the element
 * of an array that has the text "scatter" at its key "type".
 *
 * Paths of columns and inner views start at the row or section. Each leading '^' goes back to the
 * member that the previous '*' stands for, and '@' is the name of a member within its object. In
 * a table of "devices.*.operations.*", "^name" is the name of the device, "@" the operation and
 * "bytes" a number of the row. A path that starts with '=' is the text after it. */
#ifndef IOSPAN_RESULT_VIEW_H
#define IOSPAN_RESULT_VIEW_H

#include <stdbool.h>

#include "user/result/place.h"

enum view_kind {
	VIEW_BY_UNIT, /* by the unit in the path: "elapsed_ns"; else of a member above */
	VIEW_NAME,    /* a key, shown as by value_name() */
	VIEW_COUNT,
	VIEW_DIGITS, /* all digits */
	VIEW_BYTES,
	VIEW_TIME, /* from ns */
	VIEW_RATE,
	VIEW_BYTE_RATE,
	VIEW_RATIO,
	VIEW_PER_CENT, /* from a fraction */
	VIEW_PLAIN,    /* a metric; its title has the unit */
	VIEW_BAR,      /* from a fraction */
};

struct view_column {
	const char *path;
	const char *title; /* NULL: the last word of the path, as by value_name() */
	enum view_kind kind;
	const char *unit_of;   /* a path of a text with the unit, such as "bytes_per_second" */
	const char *deviation; /* a path: the value is followed by "+-1.2 %"; NULL: it is not */
	const char *estimated; /* a path of a fraction: "(1.2% estimated)" follows if it is not 0 */
	const char *none;      /* shown if there is no value; NULL: "-" */
	const char *mark;      /* shown for true; NULL: "yes" */
	bool is_extra;	       /* only in CSV */
};

#define COLUMN(p, ...) \
	{ \
		.path = p, __VA_ARGS__ \
	}
/* With a title and a kind. */
#define COLUMN_OF(p, t, k) \
	{ \
		.path = p, .title = t, .kind = k \
	}

struct view {
	const char *path;
	const char *title;		   /* a heading, as in value_fill(); or NULL */
	const char *name;		   /* text: the first column, as in value_fill() */
	const struct view_column *columns; /* ends with a NULL path */
	const struct view *inner;	   /* ends with a NULL path */
	unsigned left;			   /* columns that are aligned at the left */
	unsigned most;			   /* rows of text; 0: all */
	/* Returns an array of rows, made of the member at @path. NULL: the members are the rows. The
	 * caller frees the array. */
	struct out *(*make)(const struct out *member);
	/* Paths, separated by '|': rows and sections are left out if each of these has no value, false, 0
	 * or an empty array. */
	const char *only_with;
	bool is_csv;	 /* rows that --csv prints; the first such table has the titles */
	bool is_hidden;	 /* not in text and HTML */
	bool is_more;	 /* text: its rows belong to the table above */
	bool is_dense;	 /* text: a table without indentation and empty lines */
	bool is_verbose; /* in text and HTML only with --verbose */
	bool is_note;	 /* each line has "note:" in front */
	bool is_head;	 /* in HTML, the last view before the plots */
	bool warns;	 /* with CSV, lines are warnings; without is_note, of a loss */
};

#define VIEW(p, ...) \
	{ \
		.path = p, __VA_ARGS__ \
	}

/* For all printers of views. */
bool view_is_left_out(const struct view *v, const struct place *at);

/* Returns true if text and HTML have the view. */
bool view_is_shown(const struct view *v);

/* Returns the heading, or NULL. The caller frees it. */
char *view_heading(const struct view *v, const struct place *at);

/* Returns the member as text. The caller frees it. */
char *view_line(const struct place *at);

/* Calls @fn for each row of a table. */
void view_each_row(const struct view *v, const struct place *from,
		   void (*fn)(void *arg, const struct place *at), void *arg);

/* @doc is the whole document (place.h). @views ends with a NULL path. Write errors remain in @f, see
 * out_finish(). */
void view_text(FILE *f, const struct place *doc, const struct view *views);
void view_csv(FILE *f, const struct place *doc, const struct view *views);
/* Print the titles, or the rows, of one CSV table of several documents. Titles and rows start with the
 * columns @lead of the whole document. */
void view_csv_titles(FILE *f, const struct view *views, const struct view_column *lead);
void view_csv_rows(FILE *f, const struct place *doc, const struct view *views,
		   const struct view_column *lead);

#endif
