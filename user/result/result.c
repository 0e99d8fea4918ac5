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

	page_begin(f, r->title);
	view_html(f, r->doc, r->views);
	ret = r->plots ? r->plots(f, r->arg) : 0;
	page_end(f);
	return ret;
}

int result_print(const struct result *r, enum out_format format, struct output *html)
{
	seal(r->doc);
	if (format == OUT_JSON)
		out_json(stdout, r->doc);
	else if (format == OUT_CSV)
		view_csv(stdout, r->doc, r->views);
	else
		view_text(stdout, r->doc, r->views);
	return html->path ? output_write(html, result_html, r) : 0;
}
