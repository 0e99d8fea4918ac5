// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/result/result.h"

#include "user/base/page.h"
#include "user/base/seal.h"

enum out_format out_format(bool json, bool csv)
{
	return json ? OUT_JSON : csv ? OUT_CSV : OUT_TEXT;
}

static const char style[] = "th { cursor: pointer; }\nth:hover { background: #eee; }\n";

/* Sorts the table by the column of the clicked title. A second click reverses the order. */
static const char script[] =
	"<script>\n"
	"document.querySelectorAll('th').forEach(th => th.addEventListener('click', () => {\n"
	"  const body = th.closest('table').tBodies[0], down = th.dataset.down !== '1';\n"
	"  const key = tr => { const cell = tr.cells[th.cellIndex], d = cell.dataset.v;\n"
	"    return d !== undefined ? Number(d) : cell.textContent === '-' ? -Infinity : "
	"cell.textContent; };\n"
	"  th.dataset.down = down ? '1' : '0';\n"
	"  [...body.rows].sort((a, b) => { const x = key(a), y = key(b);\n"
	"    return (x < y ? 1 : x > y ? -1 : 0) * (down ? 1 : -1); })\n"
	"    .forEach(tr => body.append(tr));\n"
	"}));\n"
	"</script>\n";

static int result_html(FILE *f, const void *result)
{
	const struct result *r = result;
	const struct view *rest;
	int ret;

	page_begin(f, r->title, style);
	rest = view_html(f, r->doc, r->views);
	ret = r->plots ? r->plots(f, r->arg) : 0;
	view_html(f, r->doc, rest);
	fputs(script, f);
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
