// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/result/view.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/control.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/page.h"
#include "user/base/table.h"
#include "user/result/place.h"
#include "user/result/value.h"

/* ---- tables ---- */

/* The cells of a table, row by row. */
struct cells {
	const struct view *view;
	char *(*value)(const struct place *at, const struct view_column *c);
	bool all; /* with the columns that are only in CSV */
	bool untitled;
	char **list;
	unsigned n, rows, columns, hidden;
};

static bool has_column(const struct cells *t, const struct view_column *c)
{
	return !c->is_extra || t->all;
}

static void add_cell(struct cells *t, char *text)
{
	t->list = need(reallocarray(t->list, t->n + 1, sizeof(*t->list)));
	t->list[t->n++] = text;
}

static bool is_left_out(const struct view *v, const struct place *at)
{
	const char *name;
	const struct out *node = v->only_with ? value_at(at, v->only_with, &name) : NULL;
	double number;

	return v->only_with && !name &&
		(!node || (out_is_bool(node) && !out_is(node)) ||
		 (out_f64_of(node, &number) && number == 0));
}

static void add_row(void *cells, const struct place *at)
{
	struct cells *t = cells;

	if (is_left_out(t->view, at))
		return;
	if (t->view->most && !t->all && t->rows > t->view->most) {
		t->hidden++;
		return;
	}
	for (const struct view_column *c = t->view->columns; c->path; c++)
		if (has_column(t, c))
			add_cell(t, t->value(at, c));
	t->rows++;
}

/* The first row has the titles. */
static void cells_fill(struct cells *t, const struct place *from)
{
	t->columns = 0;
	for (const struct view_column *c = t->view->columns; c->path; c++) {
		t->columns += has_column(t, c);
		if (has_column(t, c) && !t->untitled)
			add_cell(t, t->all ? need(strdup(value_csv_title(c))) : value_title(c));
	}
	t->rows = 1;
	each_place(from, t->view->path, add_row, t);
}

static void cells_release(struct cells *t)
{
	for (unsigned i = 0; i < t->n; i++)
		free(t->list[i]);
	free(t->list);
}

static struct table *cells_table(const struct cells *t)
{
	struct table *to = table_new(t->view->left);

	for (unsigned i = 0; i < t->n; i++) {
		table_cell(to, "%s", t->list[i]);
		if ((i + 1) % t->columns == 0)
			table_end_row(to);
	}
	return to;
}

/* ---- text ---- */

struct printer {
	FILE *f;
	const struct view *view;
	bool after_table; /* a table was printed last */
};

static bool is_shown(const struct view *v)
{
	return !v->is_hidden && (!v->is_verbose || verbosity.verbose) &&
		!(v->is_note && verbosity.quiet);
}

static const struct view_column whole = { .path = "" };

/* Returns whether a table was printed last. */
static bool text_views(FILE *f, const struct place *from, const struct view *v);

static char *heading(const struct place *at, const struct view *v)
{
	if (!v->title_of)
		return v->title ? need(strdup(v->title)) : NULL;
	return value_text(at, &(const struct view_column){ .path = v->title_of });
}

static void heading_as_text(FILE *f, const char *title)
{
	fputc('\n', f);
	out_line_text(f, title);
	fputc('\n', f);
}

/* Returns whether there are rows. */
static bool table_as_text(FILE *f, const struct place *from, const struct view *v)
{
	struct cells cells = { .view = v, .value = value_text };
	char *title = heading(from, v);
	struct table *t;

	cells_fill(&cells, from);
	if (cells.rows > 1) {
		t = cells_table(&cells);
		if (title)
			heading_as_text(f, title);
		fputc('\n', f);
		table_text(f, t, "  ");
		table_free(t);
	}
	if (cells.hidden)
		note(f, "--json shows %u more row%s", cells.hidden,
		     num_word(cells.hidden, "", "s"));
	cells_release(&cells);
	free(title);
	return cells.rows > 1;
}

static void line_as_text(void *printer, const struct place *at)
{
	struct printer *p = printer;
	char *text = value_text(at, &whole);

	if (p->after_table)
		fputc('\n', p->f);
	p->after_table = false;
	disarm(text);
	if (p->view->is_note)
		note(p->f, "%s", text);
	else
		fprintf(p->f, "%s%s%s\n", p->view->title ?: "", p->view->title ? ": " : "", text);
	free(text);
}

static void section_as_text(void *printer, const struct place *at)
{
	struct printer *p = printer;
	char *title;

	if (is_left_out(p->view, at))
		return;
	title = heading(at, p->view);
	if (title)
		heading_as_text(p->f, title);
	else if (p->after_table)
		fputc('\n', p->f);
	p->after_table = text_views(p->f, at, p->view->inner);
	free(title);
}

static bool text_views(FILE *f, const struct place *from, const struct view *v)
{
	struct printer p = { .f = f };

	for (; v->path; v++) {
		if (!is_shown(v))
			continue;
		p.view = v;
		if (v->columns)
			p.after_table |= table_as_text(f, from, v);
		else
			each_place(from, v->path, v->inner ? section_as_text : line_as_text, &p);
	}
	return p.after_table;
}

void view_text(FILE *f, const struct out *doc, const struct view *views)
{
	text_views(f, &(const struct place){ .node = doc }, views);
}

/* ---- CSV ---- */

static void warn_line(void *view, const struct place *at)
{
	const struct view *v = view;
	char *text = value_text(at, &whole);

	(v->is_note ? warn : warn_loss)("%s", text);
	free(text);
}

static void warn_lines(void *views, const struct place *at)
{
	for (const struct view *v = views; v->path; v++)
		if (v->warns || v->inner)
			each_place(at, v->path, v->inner ? warn_lines : warn_line,
				   (void *)(v->inner ?: v));
}

static void csv_rows(FILE *f, const struct out *doc, const struct view *views, bool untitled)
{
	struct cells cells = { .value = value_exact, .all = true, .untitled = untitled };
	struct table *t;

	for (; views->path; views++) {
		if (!views->is_csv)
			continue;
		cells.view = views;
		cells_fill(&cells, &(const struct place){ .node = doc });
		cells.untitled = true;
	}
	t = cells_table(&cells);
	table_csv(f, t);
	table_free(t);
	cells_release(&cells);
}

void view_csv(FILE *f, const struct out *doc, const struct view *views)
{
	csv_rows(f, doc, views, false);
	warn_lines((void *)views, &(const struct place){ .node = doc });
}

void view_csv_more(FILE *f, const struct out *doc, const struct view *views)
{
	csv_rows(f, doc, views, true);
}

/* ---- HTML ---- */

/* Writes a cell. @name and @value are an attribute; @value NULL: it has none. */
static void html_cell(FILE *f, const char *tag, const char *class, const char *text,
		      const char *name, const char *value)
{
	fprintf(f, "<%s%s", tag, class);
	if (value) {
		fprintf(f, " %s=\"", name);
		page_text(f, value);
		fputc('"', f);
	}
	fputc('>', f);
	page_text(f, text);
	fprintf(f, "</%s>", tag);
}

static void html_heading(FILE *f, int level, const char *title)
{
	fprintf(f, "<h%d>", level);
	page_text(f, title);
	fprintf(f, "</h%d>\n", level);
}

/* A browser lays out all rows at once, and more rows would take it too long. */
#define HTML_ROWS 1000

struct html_table {
	FILE *f;
	const struct place *from;
	const struct view *view;
	unsigned rows;
};

static void html_titles(const struct html_table *t)
{
	unsigned i = 0;
	char *above = heading(t->from, t->view);

	if (above)
		html_heading(t->f, 3, above);
	free(above);
	fputs("<div class=\"wide\"><table>\n<thead><tr>", t->f);
	for (const struct view_column *c = t->view->columns; c->path; c++) {
		char *title = value_title(c);

		if (!c->is_extra)
			html_cell(t->f, "th", i++ < t->view->left ? " class=\"name\"" : "", title,
				  "title", value_help(c));
		free(title);
	}
	fputs("</tr></thead>\n<tbody>\n", t->f);
}

static void html_row(void *table, const struct place *at)
{
	struct html_table *t = table;
	unsigned i = 0;

	if (is_left_out(t->view, at) || t->rows++ >= HTML_ROWS)
		return;
	if (t->rows == 1)
		html_titles(t);
	fputs("<tr>", t->f);
	for (const struct view_column *c = t->view->columns; c->path; c++) {
		char *text, *value;

		if (c->is_extra)
			continue;
		text = value_text(at, c);
		value = value_exact(at, c);
		html_cell(t->f, "td", i++ < t->view->left ? " class=\"name\"" : "", text, "data-v",
			  strspn(value, "-0123456789") ? value : NULL); /* only a number */
		free(text);
		free(value);
	}
	fputs("</tr>\n", t->f);
}

static const struct view *html_views(FILE *f, const struct place *from, const struct view *v);

static void html_line(const struct printer *p, const char *text)
{
	fputs(p->view->is_note ? "<p class=\"note\">" : "<p>", p->f);
	if (p->view->title)
		fprintf(p->f, "%s: ", p->view->title);
	page_text(p->f, text);
	fputs("</p>\n", p->f);
}

static void html_item(void *printer, const struct place *at)
{
	struct printer *p = printer;
	char *text;

	if (is_left_out(p->view, at))
		return;
	text = p->view->inner ? heading(at, p->view) : value_text(at, &whole);
	if (text && p->view->inner)
		html_heading(p->f, 2, text);
	else if (text)
		html_line(p, text);
	if (p->view->inner)
		html_views(p->f, at, p->view->inner);
	free(text);
}

static void html_table(FILE *f, const struct place *from, const struct view *v)
{
	struct html_table t = { f, from, v, 0 };

	each_place(from, v->path, html_row, &t);
	if (t.rows)
		fputs("</tbody></table></div>\n", f);
	if (t.rows > HTML_ROWS)
		fprintf(f, "<p class=\"note\">--json shows %u more rows</p>\n", t.rows - HTML_ROWS);
}

static const struct view *html_views(FILE *f, const struct place *from, const struct view *v)
{
	for (bool is_head = false; v->path && !is_head; v++) {
		is_head = v->is_head;
		if (is_shown(v) && v->columns)
			html_table(f, from, v);
		else if (is_shown(v))
			each_place(from, v->path, html_item,
				   &(struct printer){ .f = f, .view = v });
	}
	return v;
}

const struct view *view_html(FILE *f, const struct out *doc, const struct view *views)
{
	return html_views(f, &(const struct place){ .node = doc }, views);
}
