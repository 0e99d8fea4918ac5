// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/show/interval-views.h"

#include <string.h>

#include "user/show/histogram.h"

#define COLUMNS 40

static const char *const usual_metrics[] = {
	"iops",	       KEY_BANDWIDTH,	 "span_ns",	  "bps", KEY_BUSY,
	"concurrency", KEY_LATENCY_MEAN, KEY_LATENCY_P99, NULL,
};

/* Metrics that are no columns. The last ones are for histograms. */
static const char *const more_metrics[] = {
	"accesses",	  "span_repaired_fraction", "latency_p50_ns", "latency_p90_ns",
	"latency_p95_ns", KEY_LATENCY_P99,	    "latency_max_ns",
};

static struct view_column columns[COLUMNS];
static const char *keys[COLUMNS];

#define ROWS(p, n, ...) \
	VIEW(p, .name = n, .columns = columns, .left = 1, .is_dense = true, .is_more = true, \
	     __VA_ARGS__)
#define USED .only_with = "accesses", .or_with = "span_ns"
#define GROUPS(p, rows) VIEW(p ".*|others." p ".*", .inner = rows, .is_more = true)

#define DISK "{name|title}{stacked}"
#define CGROUP "{^name|^title}"
#define PROCESS "{^title}"

/* The rows of one disk, cgroup or process. */
static const struct view disk[] = {
	ROWS("", DISK, ),
	ROWS("operations.*", "{^name}{^stacked} {@}", ),
	{},
};

#define ROWS_OF_GROUP(name) \
	{ \
		ROWS("layers.vfs", name " (vfs)", USED), ROWS("layers.device", name, USED), \
			ROWS("parts.*", name " {place} {op}", ), {}, \
	}
static const struct view cgroup[] = ROWS_OF_GROUP(CGROUP);
static const struct view process[] = ROWS_OF_GROUP(PROCESS);

#define HISTOGRAMS(p, name) \
	HISTOGRAM(p ".*.layers.vfs|others." p ".*.layers.vfs", name " (vfs)"), \
		HISTOGRAM(p ".*.layers.device|others." p ".*.layers.device", name)

const struct view interval_views[] = {
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
	HISTOGRAM("layers.app", "(app)"),
	HISTOGRAM("layers.vfs", "(vfs)"),
	HISTOGRAM("layers.device", "(device)"),
	HISTOGRAM("devices.*|others.devices.*", DISK),
	HISTOGRAM("devices.*.operations.*", "{^name}{^stacked} {@}"),
	HISTOGRAMS("cgroups", CGROUP),
	HISTOGRAMS("processes", PROCESS),
	{},
};

static struct view_column metric_column(const char *key, bool human)
{
	struct view_column c = { .path = key, .kind = human ? VIEW_BY_UNIT : VIEW_PLAIN };

	if (human && !strcmp(key, "span_ns"))
		c.estimated = "span_repaired_fraction";
	if (human && !strcmp(key, KEY_BUSY))
		c.kind = VIEW_RATIO;
	return c;
}

const char *const *interval_columns(const struct interval_view *v, bool has_histograms)
{
	unsigned n = 0, more = has_histograms ? sizeof(more_metrics) / sizeof(*more_metrics) : 2;

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
	for (unsigned i = 0; i < n; i++)
		columns[1 + i] = metric_column(keys[i], v->human);
	columns[1 + n] = (struct view_column){};
	memcpy(keys + n, more_metrics, more * sizeof(*keys));
	keys[n + more] = NULL;
	return keys;
}
