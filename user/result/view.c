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

static bool lacks(const struct place *at, const char *path)
{
	const char *name;
	const struct out *node = value_at(at, path, &name);
	double number;

	return !name &&
		(!node || (out_is_bool(node) && !out_is(node)) ||
		 (out_f64_of(node, &number) && number == 0));
}

static bool is_left_out(const struct view *v, const struct place *at)
{
	return v->only_with && lacks(at, v->only_with) && (!v->or_with || lacks(at, v->or_with));
}

struct printer {
	FILE *f;
	const struct view *view;
	bool after_table;
};

static bool is_shown(const struct view *v)
{
	return !v->is_hidden && (!v->is_verbose || verbosity.verbose) &&
		!(v->is_note && verbosity.quiet);
}

static const struct view_column whole = { .path = "" };

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

struct text_table {
	const struct view *view;
	struct table *table;
	unsigned rows, hidden;
};

static void row_as_text(void *table, const struct place *at)
{
	struct text_table *t = table;

	if (is_left_out(t->view, at))
		return;
	if (t->view->most && t->rows >= t->view->most) {
		t->hidden++;
		return;
	}
	for (const struct view_column *c = t->view->columns; c->path; c++)
		if (!c->is_extra)
			table_own_cell(t->table, value_text(at, c));
	table_end_row(t->table);
	t->rows++;
}

/* Prints a table as text. Returns true if it has rows. */
static bool table_as_text(FILE *f, const struct place *from, const struct view *v)
{
	struct text_table t = { .view = v, .table = table_new(v->left) };
	char *title = heading(from, v);

	for (const struct view_column *c = v->columns; c->path; c++)
		if (!c->is_extra)
			table_own_cell(t.table, value_title(c));
	table_end_row(t.table);
	each_place(from, v->path, row_as_text, &t);
	if (t.rows && title)
		heading_as_text(f, title);
	if (t.rows) {
		fputc('\n', f);
		table_text(f, t.table, "  ");
	}
	if (t.hidden)
		note(f, "--json shows %u more row%s", t.hidden, num_word(t.hidden, "", "s"));
	table_free(t.table);
	free(title);
	return t.rows;
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

void view_text(FILE *f, const struct place *doc, const struct view *views)
{
	text_views(f, doc, views);
}

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
		if (v->warns || (v->inner && !v->is_csv))
			each_place(at, v->path, v->inner ? warn_lines : warn_line,
				   (void *)(v->inner ?: v));
}

struct csv {
	FILE *f;
	const struct place *doc;
	const struct view *view;
	const struct view_column *lead; /* columns of @doc, at the start of each row; NULL: none */
	bool has_titles;
};

/* Prints a row, or the titles if @at is NULL. */
static void csv_cells(FILE *f, const struct place *at, const struct view_column *c)
{
	const char *comma = "";

	for (; c->path; c++, comma = ",") {
		char *value = at ? value_exact(at, c) : NULL;

		fputs(comma, f);
		out_csv_cell(f, value ?: value_csv_title(c));
		free(value);
	}
}

/* Rows end with LF, not with CR LF as in RFC 4180, because cut and awk would keep the CR in the
 * last field. */
static void csv_line(const struct csv *to, const struct place *at)
{
	if (to->lead) {
		csv_cells(to->f, at ? to->doc : NULL, to->lead);
		fputc(',', to->f);
	}
	csv_cells(to->f, at, to->view->columns);
	fputc('\n', to->f);
}

static void csv_row(void *csv, const struct place *at)
{
	const struct csv *to = csv;

	if (!is_left_out(to->view, at))
		csv_line(to, at);
}

static void csv_views(struct csv *to, const struct place *from, const struct view *v);

static void csv_section(void *csv, const struct place *at)
{
	struct csv inner = *(struct csv *)csv;

	if (!is_left_out(inner.view, at))
		csv_views(&inner, at, inner.view->inner);
}

static void csv_views(struct csv *to, const struct place *from, const struct view *v)
{
	for (; v->path; v++) {
		if (!v->is_csv)
			continue;
		to->view = v;
		if (v->columns && !to->has_titles)
			csv_line(to, NULL);
		to->has_titles = true;
		each_place(from, v->path, v->inner ? csv_section : csv_row, to);
	}
}

void view_csv(FILE *f, const struct place *doc, const struct view *views)
{
	csv_views(&(struct csv){ .f = f }, doc, views);
	warn_lines((void *)views, doc);
}

void view_csv_titles(FILE *f, const struct view *views, const struct view_column *lead)
{
	while (!views->is_csv)
		views++;
	csv_line(&(struct csv){ .f = f, .view = views, .lead = lead }, NULL);
}

void view_csv_rows(FILE *f, const struct place *doc, const struct view *views,
		   const struct view_column *lead)
{
	csv_views(&(struct csv){ .f = f, .doc = doc, .lead = lead, .has_titles = true }, doc,
		  views);
	warn_lines((void *)views, doc);
}

/* Writes a cell. @name and @value are an attribute of its tag; @value NULL: the tag has no
 * attribute. */
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

/* maximum number of rows of an HTML table, because a browser lays out all rows at once */
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
			  /* only if the value is a number */
			  strspn(value, "-0123456789") ? value : NULL);
		free(text);
		free(value);
	}
	fputs("</tr>\n", t->f);
}

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
	/* plots are only in the whole page, so a section does not end at its head */
	for (const struct view *rest = p->view->inner; rest && rest->path;)
		rest = view_html(p->f, at, rest);
	free(text);
}

static void html_table(FILE *f, const struct place *from, const struct view *v)
{
	struct html_table t = { f, from, v, 0 };

	each_place(from, v->path, html_row, &t);
	if (t.rows)
		fputs("</tbody></table></div>\n", f);
	if (t.rows > HTML_ROWS)
		fprintf(f, "<p class=\"note\">--json shows %u more row%s</p>\n", t.rows - HTML_ROWS,
			num_word(t.rows - HTML_ROWS, "", "s"));
}

const struct view *view_html(FILE *f, const struct place *from, const struct view *v)
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
