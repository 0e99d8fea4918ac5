// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes a JSON document as tables and lines of an HTML page. A view describes a part of the page.
 * If a view has the flag .is_head, the plots of the page stand below this view. */
#include "user/result/view-html.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/num.h"
#include "user/base/page.h"
#include "user/result/value.h"

/* Writes a cell with the attribute @name="@value". If @value is NULL, the cell has no attribute. */
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

/* Writes a bar as <meter>. A browser without <meter> shows @text. */
static void html_bar(FILE *f, const char *value, const char *text)
{
	fprintf(f, "<td><meter value=\"%s\">%s</meter></td>", value, text);
}

static void html_heading(FILE *f, int level, const char *title)
{
	fprintf(f, "<h%d>", level);
	page_text(f, title);
	fprintf(f, "</h%d>\n", level);
}

/* Largest number of rows in a table. A browser lays out all rows of a table before it shows them,
 * which takes too long for more rows. */
#define HTML_ROWS 1000

struct html_table {
	FILE *f;
	const struct place *from;
	const struct view *first; /* first view of the table; its columns give the titles */
	const struct view *view;
	unsigned rows;
};

static void html_titles(const struct html_table *t)
{
	unsigned i = 0;
	char *above = view_heading(t->first, t->from);

	if (above)
		html_heading(t->f, 3, above);
	free(above);
	fputs("<div class=\"wide\"><table>\n<thead><tr>", t->f);
	for (const struct view_column *c = t->first->columns; c->path; c++) {
		char *title = value_title(c);

		if (view_has_column(c, t->from))
			html_cell(t->f, "th", i++ < t->first->left ? " class=\"name\"" : "", title,
				  "title", value_help(c));
		free(title);
	}
	fputs("</tr></thead>\n<tbody>\n", t->f);
}

static void html_name(FILE *f, const struct place *at, const char *name)
{
	char *text = value_fill(at, name);

	html_cell(f, "td", " class=\"name\"", text, "data-v", NULL);
	free(text);
}

static void html_row(void *table, const struct place *at)
{
	struct html_table *t = table;
	unsigned i = t->view->name != NULL;

	if (view_is_left_out(t->view, at) || t->rows++ >= HTML_ROWS)
		return;
	if (t->rows == 1)
		html_titles(t);
	fputs("<tr>", t->f);
	if (t->view->name)
		html_name(t->f, at, t->view->name);
	for (const struct view_column *c = t->view->columns + i; c->path; c++) {
		char *text, *value;

		if (!view_has_column(c, t->from))
			continue;
		text = value_text(at, c);
		value = value_exact(at, c);
		if (c->kind == VIEW_BAR)
			html_bar(t->f, value, text);
		else
			html_cell(t->f, "td", i++ < t->view->left ? " class=\"name\"" : "", text,
				  "data-v",
				  /* page.js sorts numbers by the attribute data-v */
				  strspn(value, "-0123456789") ? value : NULL);
		free(text);
		free(value);
	}
	fputs("</tr>\n", t->f);
}

struct printer {
	FILE *f;
	const struct view *view;
	struct view_limit *limit; /* number of histograms that are left out, for view_rest() */
};

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

	if (view_is_left_out(p->view, at) || view_is_beyond(p->view, at, p->limit))
		return;
	text = p->view->inner ? view_heading(p->view, at) : view_line(at);
	if (text && p->view->inner)
		html_heading(p->f, 2, text);
	else if (text)
		html_line(p, text);
	/* view_html() returns after a view with is_head, because the caller writes plots there. A
	 * section has no plots, so the loop goes on with the next view. */
	for (const struct view *rest = p->view->inner; rest && rest->path;)
		rest = view_html(p->f, at, rest);
	free(text);
}

/* Writes the table @v. Also writes the following views with is_more, because their rows belong to
 * this table. Returns the last of these views. */
static const struct view *html_table(FILE *f, const struct place *from, const struct view *v)
{
	struct html_table t = { f, from, v, v, 0 };

	view_each_row(v, from, html_row, &t);
	while (v[1].path && v[1].is_more && v[1].columns) {
		t.view = ++v;
		view_each_row(v, from, html_row, &t);
	}
	if (t.rows)
		fputs("</tbody></table></div>\n", f);
	if (t.rows > HTML_ROWS)
		fprintf(f, "<p class=\"note\">--json shows %u more row%s</p>\n", t.rows - HTML_ROWS,
			num_word(t.rows - HTML_ROWS, "", "s"));
	return v;
}

static void html_items(FILE *f, const struct place *from, const struct view *v,
		       struct view_limit *limit)
{
	struct printer p = { .f = f, .view = v, .limit = limit };
	char *rest;

	each_place(from, v->path, html_item, &p);
	rest = view_rest(v, limit);
	if (rest)
		fprintf(f, "<p class=\"note\">%s</p>\n", rest);
	free(rest);
}

const struct view *view_html(FILE *f, const struct place *from, const struct view *v)
{
	struct view_limit limit = { .most = from->most };

	for (bool is_head = false; v->path && !is_head; v++) {
		is_head = v->is_head;
		if (view_is_shown(v) && v->columns)
			v = html_table(f, from, v);
		else if (view_is_shown(v))
			html_items(f, from, v, &limit);
	}
	return v;
}
