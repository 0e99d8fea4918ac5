// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/report/html.h"

#include "user/base/page.h"

static const char style[] =
	"svg image { image-rendering: pixelated; }\n"
	".wide { overflow-x: auto; }\n"
	"table { border-collapse: collapse; font-size: 12px; white-space: nowrap; }\n"
	"th { cursor: pointer; border-bottom: 2px solid #888; text-align: right; padding: 3px 8px; "
	"}\n"
	"th:hover { background: #eee; }\n"
	"td { text-align: right; border-bottom: 1px solid #ddd; padding: 2px 8px; }\n"
	"th.name, td.name { text-align: left; }\n";

/* A click on a title sorts by its column, a second one the other way round. */
static const char script[] =
	"<script>\n"
	"document.querySelectorAll('th').forEach((th, i) => th.addEventListener('click', () => {\n"
	"  const body = document.querySelector('tbody'), down = th.dataset.down !== '1';\n"
	"  const key = tr => { const d = tr.cells[i].dataset.v;\n"
	"    return d === undefined ? tr.cells[i].textContent : d === '' ? -Infinity : Number(d); "
	"};\n"
	"  th.dataset.down = down ? '1' : '0';\n"
	"  [...body.rows].sort((a, b) => { const x = key(a), y = key(b);\n"
	"    return (x < y ? 1 : x > y ? -1 : 0) * (down ? 1 : -1); })\n"
	"    .forEach(tr => body.append(tr));\n"
	"}));\n"
	"</script>\n";

static void print_report(FILE *f, const void *run)
{
	report_text(f, run);
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
	page_begin(f, "iospan report", style);
	fprintf(f, "<p>");
	for (char *const *p = r->paths; *p; p++) {
		page_text(f, *p);
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
	page_listing(f, "Report", print_report, r);
	fputs(script, f);
	page_end(f);
	return 0;
}
