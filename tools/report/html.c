// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/report/html.h"

#include <math.h>
#include <stdlib.h>

#include "tools/report/html-maps.h"
#include "tools/report/html-bars.h"
#include "tools/report/html-plots.h"

#include "user/base/page.h"
#include "user/base/num.h"
#include "tools/report/report-show.h"

static const char style[] = "th { cursor: pointer; }\nth:hover { background: #eee; }\n";

/* Sorts the table by the column of the clicked title. A second click reverses the order. */
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

/* ---- the table ---- */

/* maximum number of rows for each kind; more would be slow, because a browser lays out all rows
 * at once */
#define ROWS_MOST 500

static void print_titles(FILE *f)
{
	fprintf(f,
		"<h2>Table</h2>\n<p>A click on a title sorts.</p>\n<div class=\"wide\"><table>\n"
		"<thead><tr><th class=\"name\">what</th><th class=\"name\">name</th>"
		"<th class=\"name\">layer</th><th class=\"name\">op</th>");
	for (const struct metric *m = metrics; m->key; m++) {
		if (m->extra)
			continue;
		fprintf(f, "<th title=\"");
		page_text(f, m->help);
		fprintf(f, "\">%s</th>", m->title);
	}
	fprintf(f, "</tr></thead>\n<tbody>\n");
}

static void print_row(FILE *f, const char *what, const char *name, const char *layer,
		      const char *op, const struct sum *s)
{
	char buf[NUM_TEXT];

	if (!s->row.accesses)
		return;
	fprintf(f, "<tr><td class=\"name\">%s</td><td class=\"name\">", what);
	page_text(f, name);
	fprintf(f, "</td><td class=\"name\">%s</td><td class=\"name\">%s</td>", layer, op);
	for (const struct metric *m = metrics; m->key; m++) {
		if (m->extra)
			continue;
		fprintf(f, "<td data-v=\"%s\">", metric_exact_text(buf, m, s));
		fprintf(f, "%s</td>", metric_text(buf, m, s));
	}
	fprintf(f, "</tr>\n");
}

static void print_layers(FILE *f, const struct report_run *r)
{
	const struct measurement *m = r->m;

	for (int layer = 0; layer < LAYERS; layer++)
		print_row(f, "layer", layer_names[layer], layer_names[layer], READ_WRITE,
			  &m->layers[layer]);
	for (int op = 0; op < CALL_OPS; op++) {
		print_row(f, "layer", "app", "app", vfs_op_names[op], &m->app_ops[op]);
		print_row(f, "layer", "vfs", "vfs", vfs_op_names[op], &m->vfs_ops[op]);
	}
	for (unsigned i = 0; i < m->disks_n && i < ROWS_MOST; i++) {
		const struct disk_sum *d = &m->disks[i];

		print_row(f, "device", d->name, "device", READ_WRITE, &d->all);
		for (int op = 0; op < DEVICE_OPS; op++)
			print_row(f, "device", d->name, "device", op_names[op], &d->ops[op]);
	}
}

static void print_entity(FILE *f, const struct report_run *r, const struct by *by,
			 const struct by_entity *e, const char *what)
{
	char *name = names_title(by->names, by->kind, e->number);

	for (int i = 0; i < BY_ROWS; i++) {
		const struct by_row *row = by_nth_row(e, i);
		struct sum s;

		if (!row)
			continue;
		by_sum(row, r->elapsed_ns, &s);
		print_row(f, what, name, layer_names[row->layer], by_classes[row->class], &s);
	}
	free(name);
}

static void print_sums(FILE *f, const struct report_run *r)
{
	/* disks are not in this list, because print_layers() prints them */
	static const char *const what[TRACE_KINDS] = {
		[TRACE_GROUP] = "cgroup",
		[TRACE_PROCESS] = "process",
		[TRACE_FILE] = "file",
	};

	print_titles(f);
	print_layers(f, r);
	for (u32 kind = 0; kind < TRACE_KINDS; kind++) {
		struct by_entity **list;

		if (!what[kind] || !(r->tables >> kind & 1))
			continue;
		list = by_sorted(&r->by[kind]);
		for (u32 i = 0; i < ROWS_MOST && list[i]; i++)
			print_entity(f, r, &r->by[kind], list[i], what[kind]);
		free(list);
	}
	fprintf(f, "</tbody></table></div>\n");
}

/* ---- the page ---- */

static void print_report(FILE *f, const void *run)
{
	report_text(f, run);
}

/* Limits the resolution of the plots to the number of accesses and to PICTURE_COLUMNS. A plot
 * covers the whole observation, even if the accesses of its layer or process end earlier. */
static void fit_resolution(const struct report_run *r)
{
	struct picture *p = r->picture;
	u64 n = r->input.accesses / 4;
	u32 slices = n < 24 ? 24 : n < PICTURE_COLUMNS ? n : PICTURE_COLUMNS;
	u32 columns = slices < 64 ? 64 : slices, rows = slices < 256 ? slices : 256;
	u64 width_ns = r->elapsed_ns / PICTURE_COLUMNS + 1;

	for (int layer = 0; layer < LAYERS; layer++) {
		timeline_narrow(&p->layers[layer], slices, width_ns);
		grid_narrow(&p->latencies[layer], columns, width_ns, LATENCY_ROWS);
		for (u32 process = 0; process < PICTURE_BARS; process++)
			timeline_narrow(picture_bar(p, process, layer), PICTURE_COLUMNS, width_ns);
	}
	for (u32 i = 0; i < p->maps_n; i++)
		grid_narrow(&p->maps[i]->grid, columns, width_ns, rows);
}

int html_report(FILE *f, const struct report_run *r)
{
	bool any = r->picture->layers[LAYER_APP].n || r->picture->layers[LAYER_VFS].n ||
		r->picture->layers[LAYER_DEVICE].n;
	int ret = 0;

	fit_resolution(r);
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
	print_sums(f, r);
	page_listing(f, "Report", print_report, r);
	fputs(script, f);
	page_end(f);
	return 0;
}
