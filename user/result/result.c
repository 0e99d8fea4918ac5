// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/result/result.h"

#include "user/base/out-print.h"
#include "user/base/page.h"
#include "user/base/seal.h"
#include "user/result/view-html.h"

enum out_format out_format(bool json, bool csv)
{
	return json ? OUT_JSON : csv ? OUT_CSV : OUT_TEXT;
}

static int result_html(FILE *f, const void *result)
{
	const struct result *r = result;
	const struct place doc = { .node = r->doc,
				   .made = r->page_made ?: r->made,
				   .most = r->most };
	const struct view *rest;
	int ret;

	page_begin(f, r->title);
	rest = view_html(f, &doc, r->views);
	ret = r->plots ? r->plots(f, r->arg) : 0;
	view_html(f, &doc, rest);
	page_end(f);
	return ret;
}

struct printed {
	const struct result *r;
	enum out_format format;
};

static int print(FILE *f, const void *printed)
{
	const struct printed *p = printed;
	const struct place doc = { .node = p->r->doc, .made = p->r->made, .most = p->r->most };

	if (p->r->has_command && p->format == OUT_TEXT)
		fputc('\n', f);
	if (p->format == OUT_JSON)
		out_json(f, p->r->doc);
	else
		(p->format == OUT_CSV ? view_csv : view_text)(f, &doc, p->r->views);
	return 0;
}

static void append(void *array, struct out *element)
{
	out_append(array, element);
}

static void complete(const struct result *r)
{
	for (const struct made *m = r->made; m && m->key; m++)
		m->each(m->source, append, out_list(r->doc, m->key));
	seal(r->doc);
}

int result_print(const struct result *r, enum out_format format, struct output *html)
{
	const struct printed p = { r, format };
	int ret;

	if (format == OUT_JSON)
		complete(r);
	ret = r->to && (r->to->path || r->has_command) ? output_write(r->to, print, &p) :
							 print(stdout, &p);
	if (!ret && html->path)
		ret = output_write(html, result_html, r);
	return ret;
}
