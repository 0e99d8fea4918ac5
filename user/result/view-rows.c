// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/result/view-rows.h"

#include <stdlib.h>

#include "user/base/err.h"
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
	return v->only_with && lacks(at, v->only_with) && (!v->or_with || lacks(at, v->or_with));
}

bool view_is_shown(const struct view *v)
{
	return !v->is_hidden && (!v->is_verbose || verbosity.verbose) &&
		!(v->is_note && verbosity.quiet);
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
