// SPDX-License-Identifier: GPL-2.0-or-later
/* The lines above the table. */
#include "user/top/view.h"

static void print_metric(FILE *f, const struct sum *s, const char *key)
{
	const struct metric *m = metric_named(key);
	char buf[NUM_TEXT];

	fprintf(f, "  %s %s", m->title, metric_text(buf, m, s));
}

/* What the rows are, and which of them. */
static void print_title(FILE *f, const struct top_view *v)
{
	static const char *const rows[] = { [TOP_DISKS] = "disks",
					    [TOP_GROUPS] = "cgroups",
					    [TOP_PROCESSES] = "processes" };
	char clock[16], interval[NUM_TEXT];
	struct tm local;

	fputs("iospan top", f);
	if (v->report.m) {
		strftime(clock, sizeof(clock), "%T", localtime_r(&v->cut, &local));
		fprintf(f, "  %s  %s", clock, num_time_text(interval, v->report.m->elapsed_ns));
	} else {
		fputs("  the first interval is not over", f);
	}
	fprintf(f, "  %u %s by %s%s", v->n, rows[v->rows], top_columns[v->sort].word,
		v->reverse ? ", reversed" : "");
	if (*v->filter)
		fprintf(f, "  with '%s'", v->filter);
	fputs(v->paused ? "  PAUSED\n" : "\n", f);
}

/* vfs     BPS 343.4k  T 998 ms  busy 0.998  IOPS 42105  bandwidth 164 MiB/s  p99 42.1 us */
static void print_layer(FILE *f, const struct report *r, int layer)
{
	static const char *const keys[] = { "bps",	   "span_ns", "busy",
					    "concurrency", "p99_ns",  "bandwidth_bytes_per_s" };

	fprintf(f, "%-6s", layer_names[layer]);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		print_metric(f, &r->m->layers[layer], keys[i]);
	fputc('\n', f);
}

void top_head(FILE *f, const struct top_view *v, const struct measurement *all)
{
	const struct report *r = &v->report;
	char buf[NUM_TEXT];

	print_title(f, v);
	if (!r->m)
		return;
	for (int i = 0; i < LAYERS; i++)
		if (report_sees(r, i))
			print_layer(f, r, i);
	fprintf(f, "amplification %s (bytes, device/vfs)\n",
		num_ratio_text(buf, report_amplification(r, LAYER_DEVICE, LAYER_VFS)));
	show_losses_text(f, all);
	if (r->uncharged && v->rows == TOP_GROUPS)
		fprintf(f,
			"  note: the io controller is not enabled in %u cgroups; what they do "
			"counts in the one above\n",
			r->uncharged);
}
