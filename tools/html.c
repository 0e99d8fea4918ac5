// SPDX-License-Identifier: GPL-2.0-or-later
#include "html.h"

#include <stdlib.h>

#include "../user/err.h"

static const char head[] =
"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
"<title>iospan report</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n"
"body { font: 14px/1.4 sans-serif; margin: 1em auto; max-width: 1040px; padding: 0 1em; }\n"
"svg { display: block; margin: 1em 0; max-width: 100%; height: auto; }\n"
"svg image { image-rendering: pixelated; }\n"
"pre { overflow-x: auto; background: #f6f6f6; padding: 1em; font-size: 12px; }\n"
".wide { overflow-x: auto; }\n"
"table { border-collapse: collapse; font-size: 12px; white-space: nowrap; }\n"
"th { cursor: pointer; border-bottom: 2px solid #888; text-align: right; padding: 3px 8px; }\n"
"th:hover { background: #eee; }\n"
"td { text-align: right; border-bottom: 1px solid #ddd; padding: 2px 8px; }\n"
"th.name, td.name { text-align: left; }\n"
"</style>\n</head>\n<body>\n<h1>iospan report</h1>\n";

/* A click on a title sorts by its column, a second one the other way round. */
static const char tail[] =
"<script>\n"
"document.querySelectorAll('th').forEach((th, i) => th.addEventListener('click', () => {\n"
"  const body = document.querySelector('tbody'), down = th.dataset.down !== '1';\n"
"  const key = tr => { const d = tr.cells[i].dataset.v;\n"
"    return d === undefined ? tr.cells[i].textContent : d === '' ? -Infinity : Number(d); };\n"
"  th.dataset.down = down ? '1' : '0';\n"
"  [...body.rows].sort((a, b) => { const x = key(a), y = key(b);\n"
"    return (x < y ? 1 : x > y ? -1 : 0) * (down ? 1 : -1); })\n"
"    .forEach(tr => body.append(tr));\n"
"}));\n"
"</script>\n</body>\n</html>\n";

void html_text(FILE *f, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", f);
			break;
		case '<':
			fputs("&lt;", f);
			break;
		case '>':
			fputs("&gt;", f);
			break;
		case '"':
			fputs("&quot;", f);
			break;
		case '\n':
			fputc('\n', f);
			break;
		default:
			fputc((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text, f);
		}
	}
}

static void text_section(FILE *f, const struct report_run *r)
{
	char *text = NULL;
	size_t size;
	FILE *to = need(open_memstream(&text, &size));

	report_text(to, r);
	if (fclose(to))
		need(NULL);
	fprintf(f, "<h2>Report</h2>\n<pre>");
	html_text(f, text);
	fprintf(f, "</pre>\n");
	free(text);
}

/* Few accesses make a picture of few pixels. */
static void fit_to_accesses(const struct report_run *r)
{
	struct picture *p = r->picture;
	u64 n = r->input.accesses / 4;
	u32 slices = n < 24 ? 24 : n < PICTURE_COLUMNS ? n : PICTURE_COLUMNS;
	u32 columns = slices < 64 ? 64 : slices, rows = slices < 256 ? slices : 256;

	for (int layer = 0; layer < LAYERS; layer++) {
		timeline_narrow(&p->layers[layer], slices);
		grid_narrow(&p->latencies[layer], columns, LATENCY_ROWS);
	}
	for (u32 i = 0; i < p->maps_n; i++)
		grid_narrow(&p->maps[i]->grid, columns, rows);
}

int html_report(FILE *f, const struct report_run *r)
{
	bool any = r->picture->layers[LAYER_APP].n || r->picture->layers[LAYER_VFS].n ||
		   r->picture->layers[LAYER_DEVICE].n;
	int ret = 0;

	fit_to_accesses(r);
	fputs(head, f);
	fprintf(f, "<p>");
	for (char *const *p = r->paths; *p; p++) {
		html_text(f, *p);
		fputs(p[1] ? ", " : "", f);
	}
	fprintf(f, "</p>\n<h2>Over time</h2>\n");
	if (any)
		ret = html_plots(f, r);
	else
		fprintf(f, "<p>There are no reads or writes.</p>\n");
	if (any && !ret) {
		fprintf(f, "<h2>When, who, where</h2>\n");
		ret = html_bars(f, r);
		if (!ret)
			ret = html_maps(f, r);
	}
	if (ret)
		return ret;
	html_table(f, r);
	text_section(f, r);
	fputs(tail, f);
	return 0;
}
