// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints one interval of iospan stat. A view describes a table of the JSON document of the
 * interval. */
#include "user/show/interval-show.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "user/base/num.h"
#include "user/base/out-print.h"
#include "user/metric/measurement.h"
#include "user/show/show-json.h"
#include "user/show/show-rows.h"

/* ---- views; a view prints nothing if the document lacks its rows ---- */

#define COLUMNS 40

static const char *const usual_metrics[] = {
	"iops",	       KEY_BANDWIDTH,	 "span_ns",	  "bps", KEY_BUSY,
	"concurrency", KEY_LATENCY_MEAN, KEY_LATENCY_P99, NULL,
};

/* Metrics that the views use in addition to the metrics of the columns. The first two are always
 * used, the others only for histograms. */
static const char *const more_metrics[] = {
	"accesses",	  "span_repaired_fraction", "latency_p50_ns", "latency_p90_ns",
	"latency_p95_ns", KEY_LATENCY_P99,	    "latency_max_ns",
};

static struct view_column columns[COLUMNS];
static const char *keys[COLUMNS];

#define ROWS(p, n, ...) \
	VIEW(p, .name = n, .columns = columns, .left = 1, .is_dense = true, .is_more = true, \
	     __VA_ARGS__)
#define USED .only_with = "accesses|span_ns|" KEY_PRESSURE "." KEY_PSI_SOME
#define GROUPS(p, rows) VIEW(p ".*|others." p ".*", .inner = rows, .is_more = true)

#define DISK "{name|title}{stacked}"
#define CGROUP "{^name|^title}"
#define PROCESS "{^title}"

/* The rows of one disk: one for reads and writes together, then one per operation. */
static const struct view disk[] = {
	ROWS("", DISK, ),
	ROWS("operations.*", "{^name}{^stacked} {@}", ),
	{},
};

#define ROWS_OF_GROUP(name) \
	{ \
		ROWS("layers.vfs", name " (vfs)", USED), \
			ROWS("layers.vfs.operations.sync", name " (vfs) sync", USED), \
			ROWS("layers.device", name, USED), \
			ROWS("parts.*", name " {place} {op}", ), {}, \
	}
static const struct view cgroup[] = ROWS_OF_GROUP(CGROUP);
static const struct view process[] = ROWS_OF_GROUP(PROCESS);

#define HISTOGRAMS(p, name, kind) \
	HISTOGRAM(p ".*.layers.vfs|others." p ".*.layers.vfs", name " (vfs)", .limited = kind), \
		HISTOGRAM(p ".*.layers.vfs.operations.sync|others." p \
			    ".*.layers.vfs.operations.sync", \
			  name " (vfs) sync", .limited = kind), \
		HISTOGRAM(p ".*.layers.device|others." p ".*.layers.device", name, \
			  .limited = kind)

static const struct view interval_views[] = {
	VIEW("clock"),
	VIEW("unmatched"),
	ROWS("layers.app", "(app)", ),
	ROWS("layers.app.operations.*", "(app) {@}", ),
	ROWS("layers.vfs", "(vfs)", ),
	ROWS("layers.vfs.operations.*", "(vfs) {@}", ),
	ROWS("layers.device", "(device)", ),
	GROUPS("devices", disk),
	GROUPS("cgroups", cgroup),
	GROUPS("processes", process),
	VIEW("loss_texts.*"),
	{},
};

static const struct view interval_histograms[] = {
	HISTOGRAM("layers.app", "(app)"),
	HISTOGRAM("layers.app.operations.*", "(app) {@}"),
	HISTOGRAM("layers.vfs", "(vfs)"),
	HISTOGRAM("layers.vfs.operations.*", "(vfs) {@}"),
	HISTOGRAM("layers.device", "(device)"),
	HISTOGRAM("devices.*|others.devices.*", DISK, .limited = "device"),
	HISTOGRAM("devices.*.operations.*", "{^name}{^stacked} {@}", .limited = "device"),
	HISTOGRAMS("cgroups", CGROUP, "cgroup"),
	HISTOGRAMS("processes", PROCESS, "process"),
	{},
};

static enum view_kind group_kind(const struct group_column *c, bool human)
{
	if (*c->unit)
		return human ? VIEW_TIME : VIEW_PLAIN_TIME;
	return c->is_fraction ? VIEW_FRACTION : VIEW_RATIO;
}

/* Adds the columns of --extended to @to. Some show pressure (PSI and dirty throttling), others show
 * how much a cgroup or process shares its disks. Returns the number of columns. */
static size_t add_group_columns(struct view_column *to, const struct interval_view *v)
{
	static char titles[COLUMNS][NUM_TEXT];
	size_t n = 0;

	for (const struct group_column *c = group_columns; c->path; c++) {
		if (c->of_processes && !v->groups && !v->processes)
			continue;
		snprintf(titles[n], sizeof(titles[n]), "%s%s", c->title, v->human ? "" : c->unit);
		to[n] = (struct view_column){ .path = c->path,
					      .title = titles[n],
					      .kind = group_kind(c, v->human) };
		n++;
	}
	return n;
}

static struct view_column metric_column(const char *key, bool human)
{
	struct view_column c = { .path = key, .kind = human ? VIEW_BY_UNIT : VIEW_PLAIN };

	if (!strcmp(key, "span_ns"))
		c.estimated = "span_repaired_fraction";
	if (human && !strcmp(key, KEY_BUSY))
		c.kind = VIEW_FRACTION;
	return c;
}

/* Sets the columns of the tables of an interval. Returns the keys of all metrics that these tables
 * need; the last element is NULL. */
static const char *const *interval_columns(const struct interval_view *v, bool has_histograms)
{
	size_t n = 0, more = 2, to;

	if (has_histograms)
		more = sizeof(more_metrics) / sizeof(*more_metrics);

	if (v->extended)
		for (const struct metric *m = metrics; m->key; m++)
			keys[n++] = m->key;
	else
		for (const char *const *key = usual_metrics; *key; key++)
			keys[n++] = *key;
	columns[0] = (struct view_column){ .path = "",
					   .title = v->processes ? "process" :
						   v->groups	 ? "cgroup" :
								   "device" };
	for (size_t i = 0; i < n; i++)
		columns[1 + i] = metric_column(keys[i], v->human);
	to = 1 + n;
	if (v->extended)
		to += add_group_columns(columns + to, v);
	columns[to] = (struct view_column){};
	memcpy(keys + n, more_metrics, more * sizeof(*keys));
	keys[n + more] = NULL;
	return keys;
}

/* ---- printing ---- */

static void put_clock(struct out *doc)
{
	time_t now = time(NULL);
	struct tm local;
	char text[40];

	strftime(text, sizeof(text), "%FT%T%z", localtime_r(&now, &local));
	out_str(doc, "clock", text);
}

/* Adds the losses of the interval as one line. One line per loss would be too much, because most
 * intervals may have losses. */
static void put_losses(struct out *doc, const struct measurement *m)
{
	char *line = show_losses_line(m);

	if (*line)
		out_append_str(out_list(doc, "loss_texts"), line);
	free(line);
}

/* Returns the reason why the interval has no row. Returns NULL if it has at least one row. */
static const char *reason_for_no_row(const struct report *r)
{
	bool some = report_sees(r, LAYER_APP) || report_sees(r, LAYER_VFS) ||
		report_sees(r, LAYER_DEVICE);

	if (some || r->m->unmatched)
		return r->m->unmatched;
	return "no I/O at the app layer: of programs that already run, it has only io_uring and "
	       "libaio requests";
}

void interval_text(FILE *f, const struct interval_view *v, const struct report *r)
{
	const char *reason = reason_for_no_row(r);
	struct out *doc = out_object();
	struct report shown = *r;
	struct made made[2] = {};
	struct place at;

	shown.top = v->top;
	shown.keys = interval_columns(v, r->has_histograms);
	if (v->clock)
		put_clock(doc);
	if (reason)
		out_str(doc, "unmatched", reason);
	else
		made[0] = show_rows_json(doc, &shown);
	/* With a filter, the total of a layer would include rows that are not shown. So the total
	 * is left out. */
	if (!v->disk && !v->group && !reason)
		out_put(doc, "layers", show_layers_json(&shown));
	put_losses(doc, r->m);
	at = (struct place){ .node = doc, .made = made, .most = v->histograms };
	view_text(f, &at, interval_views);
	if (r->has_histograms)
		view_text(f, &at, interval_histograms);
	fputc('\n', f);
	out_free(doc);
}

static struct out *interval_document(const struct report *r)
{
	struct out *doc = out_object();
	struct timespec real;

	clock_gettime(CLOCK_REALTIME, &real);
	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", r->command);
	out_u64(doc, "elapsed_ns", r->m->elapsed_ns);
	out_u64(doc, "start_ns", r->m->begin_ns);
	out_u64(doc, "end_ns", r->m->begin_ns + r->m->elapsed_ns);
	out_u64(doc, "realtime_ns", real.tv_sec * 1000000000ULL + real.tv_nsec);
	out_u64(doc, "in_flight", r->m->in_flight);
	show_numbers_json(doc, r);
	return doc;
}

static const struct view_column times[] = { COLUMN("start_ns"), COLUMN("end_ns"), {} };

static const struct view *csv_views(const struct report *r)
{
	return r->has_histograms ? show_histogram_csv : show_views;
}

void interval_csv_titles(FILE *f, const struct report *r)
{
	view_csv_titles(f, csv_views(r), times);
}

void interval_csv(FILE *f, const struct report *r)
{
	struct out *doc = interval_document(r);

	put_losses(doc, r->m);
	view_csv_rows(f, &(struct place){ .node = doc }, csv_views(r), times);
	out_free(doc);
}

void interval_json(FILE *f, const struct report *r)
{
	struct out *doc = interval_document(r);

	show_evidence_json(doc, r);
	out_json_line(f, doc);
	out_free(doc);
}
