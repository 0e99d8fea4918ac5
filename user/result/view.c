// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints a JSON document as text and CSV, as its views describe. A view is a table, a section with
 * inner views, or lines of text. A row of a table is a member of the document. */
#include "user/result/view.h"

#include <stdlib.h>
#include <string.h>

#include "user/base/control.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out-read.h"
#include "user/base/table.h"
#include "user/result/value.h"

static bool lacks(const struct place *at, const char *path)
{
	const char *name;
	const struct out *node = value_at(at, path, &name);
	double number;

	return !name &&
		(!node || (out_is_bool(node) && !out_is(node)) || out_is_empty(node) ||
		 (out_f64_of(node, &number) && number == 0));
}

bool view_is_left_out(const struct view *v, const struct place *at)
{
	char paths[v->only_with ? strlen(v->only_with) + 1 : 1], *rest = paths, *path;

	if (!v->only_with)
		return false;
	strcpy(paths, v->only_with);
	while ((path = strsep(&rest, "|")))
		if (!lacks(at, path))
			return false;
	return true;
}

bool view_is_beyond(const struct view *v, const struct place *at, struct view_limit *l)
{
	if (!v->limited || !l->most)
		return false;
	while (at->above && at->above->above)
		at = at->above;
	if (at->index < l->most)
		return false;
	if (at->index >= l->most + l->rest)
		l->rest = at->index + 1 - l->most;
	return true;
}

char *view_rest(const struct view *v, struct view_limit *l)
{
	bool goes_on = v->limited && v[1].limited && !strcmp(v->limited, v[1].limited);
	u64 n = goes_on ? 0 : l->rest;

	l->rest -= n;
	if (!n || verbosity.quiet)
		return NULL;
	return need_text("%llu more %s%s %s no histogram here; see --json", (unsigned long long)n,
			 v->limited,
			 num_word(n, "", v->limited[strlen(v->limited) - 1] == 's' ? "es" : "s"),
			 num_word(n, "has", "have"));
}

bool view_is_shown(const struct view *v)
{
	return !v->is_hidden && (!v->is_verbose || verbosity.verbose) &&
		!(v->is_note && verbosity.quiet);
}

bool view_has_column(const struct view_column *c, const struct place *from)
{
	const char *name;

	return !c->is_extra && (!c->only_with || value_at(from, c->only_with, &name));
}

char *view_heading(const struct view *v, const struct place *at)
{
	return v->title ? value_fill(at, v->title) : NULL;
}

char *view_line(const struct place *at)
{
	return value_text(at, &(const struct view_column){ .path = "" });
}

struct rows {
	const struct view *view;
	const struct place *above;
	void (*fn)(void *arg, const struct place *at);
	void *arg;
};

static void made_row(void *rows, const char *name, const struct out *row)
{
	const struct rows *r = rows;

	r->fn(r->arg, &(struct place){ .node = row, .name = name, .above = r->above });
}

static void make_rows(void *rows, const struct place *at)
{
	struct rows r = *(const struct rows *)rows;
	struct out *list = r.view->make(at->node);

	r.above = at;
	out_each(list, made_row, &r);
	out_free(list);
}

void view_each_row(const struct view *v, const struct place *from,
		   void (*fn)(void *arg, const struct place *at), void *arg)
{
	struct rows rows = { .view = v, .fn = fn, .arg = arg };

	each_place(from, v->path, v->make ? make_rows : fn, v->make ? &rows : arg);
}

struct printer {
	FILE *f;
	const struct view *view;
	const struct place *from; /* the section that contains the table, or the whole document */
	/* table that is not printed yet, because the next view may add rows to it; NULL: none */
	struct table *table;
	char *title; /* heading above the table, or NULL */
	bool is_dense;
	unsigned rows, hidden;
	struct view_limit limit; /* number of histograms that are left out, for view_rest() */
	bool after_table; /* true: a table was printed, so an empty line precedes the next line */
};

static void text_views(struct printer *p, const struct place *from, const struct view *v);

static void print_heading(FILE *f, const char *title)
{
	fputc('\n', f);
	out_line_text(f, title);
	fputc('\n', f);
}

static void print_table(struct printer *p)
{
	if (!p->table)
		return;
	if (p->rows && p->title)
		print_heading(p->f, p->title);
	if (p->rows && !p->is_dense)
		fputc('\n', p->f);
	if (p->rows)
		table_text(p->f, p->table, p->is_dense ? "" : "  ");
	if (p->hidden)
		note(p->f, "--json shows %u more row%s", p->hidden, num_word(p->hidden, "", "s"));
	p->after_table |= p->rows && !p->is_dense;
	table_free(p->table);
	free(p->title);
	p->table = NULL;
	p->title = NULL;
}

static void row_as_text(void *printer, const struct place *at)
{
	struct printer *p = printer;
	const struct view *v = p->view;
	const struct view_column *c = v->columns;

	if (view_is_left_out(v, at))
		return;
	if (v->most && p->rows >= v->most) {
		p->hidden++;
		return;
	}
	if (v->name)
		table_own_cell(p->table, value_fill(at, v->name));
	for (c += v->name != NULL; c->path; c++)
		if (view_has_column(c, p->from))
			table_own_cell(p->table, value_text(at, c));
	table_end_row(p->table);
	p->rows++;
}

static void table_as_text(struct printer *p, const struct place *from, const struct view *v)
{
	if (!p->table) {
		p->table = table_new(v->left);
		p->title = view_heading(v, from);
		p->is_dense = v->is_dense;
		p->rows = p->hidden = 0;
		for (const struct view_column *c = v->columns; c->path; c++)
			if (view_has_column(c, from))
				table_own_cell(p->table, value_title(c));
		table_end_row(p->table);
	}
	p->from = from;
	view_each_row(v, from, row_as_text, p);
}

static void line_as_text(void *printer, const struct place *at)
{
	struct printer *p = printer;
	char *text = view_line(at);

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
	const struct view *v = p->view;
	struct view_limit limit;
	char *title;

	if (view_is_left_out(v, at) || view_is_beyond(v, at, &p->limit))
		return;
	limit = p->limit;
	if (!v->is_more) {
		print_table(p);
		title = view_heading(v, at);
		if (title)
			print_heading(p->f, title);
		else if (p->after_table)
			fputc('\n', p->f);
		if (title || p->after_table)
			p->after_table = false;
		free(title);
	}
	text_views(p, at, v->inner);
	p->view = v;
	p->limit = limit;
}

static void print_rest(struct printer *p, const struct view *v)
{
	char *rest = view_rest(v, &p->limit);

	if (rest) {
		print_table(p);
		if (p->after_table)
			fputc('\n', p->f);
		p->after_table = false;
		note(p->f, "%s", rest);
	}
	free(rest);
}

static void text_views(struct printer *p, const struct place *from, const struct view *v)
{
	p->limit = (struct view_limit){ .most = from->most };
	for (; v->path; v++) {
		if (!view_is_shown(v))
			continue;
		if (!v->is_more)
			print_table(p);
		p->view = v;
		if (v->columns)
			table_as_text(p, from, v);
		else
			each_place(from, v->path, v->inner ? section_as_text : line_as_text, p);
		print_rest(p, v);
	}
}

void view_text(FILE *f, const struct place *doc, const struct view *views)
{
	struct printer p = { .f = f };

	text_views(&p, doc, views);
	print_table(&p);
}

static void warn_line(void *view, const struct place *at)
{
	const struct view *v = view;
	char *text = view_line(at);

	(v->is_note ? warn : warn_loss)("%s", text);
	free(text);
}

static void warn_lines(void *views, const struct place *at)
{
	for (const struct view *v = views; v->path; v++)
		if ((v->warns || (v->inner && !v->is_csv)) &&
		    (*v->path || !view_is_left_out(v, at)))
			each_place(at, v->path, v->inner ? warn_lines : warn_line,
				   (void *)(v->inner ?: v));
}

struct csv {
	FILE *f;
	const struct place *doc;
	const struct view *view;
	/* columns at the start of each row, with values of .doc; NULL: none */
	const struct view_column *lead;
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

/* Rows end with LF. RFC 4180 requires CR LF, but cut and awk would keep the CR in the last
 * field. */
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

	if (!view_is_left_out(to->view, at))
		csv_line(to, at);
}

static void csv_views(struct csv *to, const struct place *from, const struct view *v);

static void csv_section(void *csv, const struct place *at)
{
	struct csv inner = *(struct csv *)csv;

	if (!view_is_left_out(inner.view, at))
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
		if (v->inner)
			each_place(from, v->path, csv_section, to);
		else
			view_each_row(v, from, csv_row, to);
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
