// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/result/result.h"

#include "user/base/page.h"
#include "user/base/seal.h"

enum out_format out_format(bool json, bool csv)
{
	return json ? OUT_JSON : csv ? OUT_CSV : OUT_TEXT;
}

static int result_html(FILE *f, const void *result)
{
	const struct result *r = result;
	const struct view *rest;
	int ret;

	page_begin(f, r->title);
	rest = view_html(f, r->doc, r->views);
	ret = r->plots ? r->plots(f, r->arg) : 0;
	view_html(f, r->doc, rest);
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

	if (p->r->has_command && p->format == OUT_TEXT)
		fputc('\n', f);
	if (p->format == OUT_JSON)
		out_json(f, p->r->doc);
	else
		(p->format == OUT_CSV ? view_csv : view_text)(f, p->r->doc, p->r->views);
	if (p->format == OUT_CSV && p->r->more_rows)
		p->r->more_rows(f, p->r->arg);
	return 0;
}

int result_print(const struct result *r, enum out_format format, struct output *html)
{
	const struct printed p = { r, format };
	int ret;

	seal(r->doc);
	ret = r->to && (r->to->path || r->has_command) ? output_write(r->to, print, &p) :
							 print(stdout, &p);
	if (!ret && html->path)
		ret = output_write(html, result_html, r);
	return ret;
}
