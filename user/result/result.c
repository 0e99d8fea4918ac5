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
	int ret;

	page_begin(f, r->title, "");
	view_html(f, r->doc, r->views);
	ret = r->plots ? r->plots(f, r->arg) : 0;
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

	if (p->format == OUT_JSON)
		out_json(f, p->r->doc);
	else
		(p->format == OUT_CSV ? view_csv : view_text)(f, p->r->doc, p->r->views);
	return 0;
}

int result_print(const struct result *r, enum out_format format, struct output *html)
{
	const struct printed p = { r, format };
	int ret;

	seal(r->doc);
	ret = r->to && r->to->path ? output_write(r->to, print, &p) : print(stdout, &p);
	if (!ret && html->path)
		ret = output_write(html, result_html, r);
	return ret;
}
