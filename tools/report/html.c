// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes all plots of a report into the HTML page. A slice is one of the equal parts of the time,
 * with sums of its accesses. */
#include "tools/report/html.h"

/* Lowers the resolution of the plots if there are few accesses: to one slice per four accesses, but
 * not below 24 slices. A plot never has more than PICTURE_COLUMNS slices. */
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

int html_report(FILE *f, const void *run)
{
	const struct report_run *r = run;
	int ret;

	fit_resolution(r);
	if (!r->picture->layers[LAYER_APP].n && !r->picture->layers[LAYER_VFS].n &&
	    !r->picture->layers[LAYER_DEVICE].n) {
		fputs("<p>There are no reads or writes.</p>\n", f);
		return 0;
	}
	fputs("<h2>Over time</h2>\n", f);
	ret = html_plots(f, r);
	if (ret)
		return ret;
	fputs("<h2>When, who, where</h2>\n", f);
	return html_bars(f, r) ?: html_maps(f, r);
}
