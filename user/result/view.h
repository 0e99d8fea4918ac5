/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a result document as text, CSV and HTML. Views say which parts are shown, and how: a table
 * (with columns), a section (with inner views), or lines of text.
 *
 * A path names members: "targets", "random.ratio". '*' is each member of an array or object that is
 * not null: "cases.*" are rows. The empty path is the document or section. Without a match, nothing
 * is printed. "a.*|b.*" are the matches of both. "type=scatter" is the element of an array with
 * that text.
 *
 * Paths of columns and inner views start at the row or section. '^' goes back to the previous '*',
 * and '@' is a member's name: in "devices.*.operations.*", "^name" is the device, "@" the
 * operation, "bytes" a number of the row. After '=' is text. */
#ifndef IOSPAN_RESULT_VIEW_H
#define IOSPAN_RESULT_VIEW_H

#include <stdbool.h>

#include "user/result/place.h"

enum view_kind {
	VIEW_BY_UNIT, /* by the path's unit: "elapsed_ns"; else by a member above */
	VIEW_NAME,    /* a key, by value_name() */
	VIEW_COUNT,
	VIEW_DIGITS, /* all digits */
	VIEW_BYTES,
	VIEW_TIME, /* from ns */
	VIEW_RATE,
	VIEW_BYTE_RATE,
	VIEW_RATIO,
	VIEW_PER_CENT, /* from a fraction */
};

struct view_column {
	const char *path;
	const char *title; /* NULL: last word of the path, by value_name() */
	enum view_kind kind;
	const char *unit_of;   /* path of a text with the unit */
	const char *deviation; /* path: "+-1.2 %" follows; or NULL */
	const char *estimated; /* path of a fraction: "(1.2% estimated)" follows unless 0 */
	const char *none;      /* if there is no value; NULL: "-" */
	const char *mark;      /* for true; NULL: "yes" */
	bool is_extra;	       /* only in CSV */
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
	const char *title_of;		   /* path of the heading, instead */
	const struct view_column *columns; /* ends with a NULL path */
	const struct view *inner;	   /* ends with a NULL path */
	unsigned left;			   /* left-aligned columns */
	unsigned most;			   /* rows of text; 0: all */
	/* Paths: rows and sections without a value, with false or 0 in both are left out. @or_with
	 * may be NULL. */
	const char *only_with, *or_with;
	bool is_csv;	 /* rows of --csv; the first such table has the titles */
	bool is_hidden;	 /* not in text and HTML */
	bool is_verbose; /* text and HTML only with --verbose */
	bool is_note;	 /* each line after "note:" */
	bool is_head;	 /* last view before the plots in HTML */
	bool warns;	 /* with CSV, lines are warnings; without is_note, of a loss */
};

#define VIEW(p, ...) \
	{ \
		.path = p, __VA_ARGS__ \
	}

/* @doc: whole document (place.h). @views ends with a NULL path. Write errors stay in @f, see
 * out_finish(). */
void view_text(FILE *f, const struct place *doc, const struct view *views);
void view_csv(FILE *f, const struct place *doc, const struct view *views);
/* Titles or rows of one CSV table of several documents, after columns @lead of the whole
 * document. */
void view_csv_titles(FILE *f, const struct view *views, const struct view_column *lead);
void view_csv_rows(FILE *f, const struct place *doc, const struct view *views,
		   const struct view_column *lead);
/* Writes into a page (page.h), up to the view with is_head. Returns the views after it. */
const struct view *view_html(FILE *f, const struct place *doc, const struct view *views);

#endif
