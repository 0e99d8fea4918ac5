// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/show/interval-views.h"

#include <string.h>

#include "user/show/histogram.h"

static const char *const usual_metrics[] = {
	"iops",	       KEY_BANDWIDTH,	 "span_ns",	  "bps", KEY_BUSY,
	"concurrency", KEY_LATENCY_MEAN, KEY_LATENCY_P99, NULL,
};

static const char *title_of(const struct interval_view *v)
{
	return v->processes ? "process" : v->groups ? "cgroup" : "device";
}

static struct view_column metric_column(const struct interval_view *v, const char *key)
{
	struct view_column c = { .path = key, .kind = v->human ? VIEW_BY_UNIT : VIEW_PLAIN };

	if (v->human && !strcmp(key, "span_ns"))
		c.estimated = "span_repaired_fraction";
	if (v->human && !strcmp(key, KEY_BUSY))
		c.kind = VIEW_RATIO;
	return c;
}

static void set_columns(struct view_column *to, const struct interval_view *v)
{
	*to++ = (struct view_column){ .path = "@", .title = title_of(v) };
	if (v->extended)
		for (const struct metric *m = metrics; m->key; m++)
			*to++ = metric_column(v, m->key);
	else
		for (const char *const *key = usual_metrics; *key; key++)
			*to++ = metric_column(v, *key);
	*to = (struct view_column){};
}

static struct view *add_rows(struct view *to, const struct view_column *columns, const char *path,
			     const char *name)
{
	*to = (struct view){ .path = path,
			     .name = name,
			     .columns = columns,
			     .left = 1,
			     .is_dense = true,
			     .is_more = true };
	return to + 1;
}

/* Rows of the layers. With a filter, they would not match the rows below. */
static struct view *add_layers(struct view *to, const struct view_column *columns, bool parts)
{
	static const char *const paths[][2] = { { "layers.app", "layers.app.operations.*" },
						{ "layers.vfs", "layers.vfs.operations.*" } };

	for (int i = 0; i < 2; i++) {
		to = add_rows(to, columns, paths[i][0], i ? "(vfs)" : "(app)");
		if (parts)
			to = add_rows(to, columns, paths[i][1], i ? "(vfs) {@}" : "(app) {@}");
	}
	return add_rows(to, columns, "layers.device", "(device)");
}

#define DISK "{name|title}{stacked}"
#define GROUP "{^name|^title}"
#define PROCESS "{^title}"
#define USED_ROWS(view) \
	do { \
		(view).only_with = "accesses"; \
		(view).or_with = "span_ns"; \
	} while (0)

/* The rows of a disk or group. */
static void set_row(struct view *to, const struct interval_view *v,
		    const struct view_column *columns)
{
	bool groups = v->groups || v->processes;

	if (!groups) {
		to = add_rows(to, columns, "", DISK);
		if (v->parts)
			to = add_rows(to, columns, "operations.*", "{^name}{^stacked} {@}");
	} else {
		to = add_rows(to, columns, "layers.vfs",
			      v->processes ? PROCESS " (vfs)" : GROUP " (vfs)");
		USED_ROWS(to[-1]);
		to = add_rows(to, columns, "layers.device", v->processes ? PROCESS : GROUP);
		USED_ROWS(to[-1]);
	}
	if (groups && v->parts)
		to = add_rows(to, columns, "parts.*",
			      v->processes ? PROCESS " {place} {op}" : GROUP " {place} {op}");
	*to = (struct view){};
}

static const char *const row_paths[] = { "devices.*|others.devices.*", "cgroups.*|others.cgroups.*",
					 "processes.*|others.processes.*" };

/* The histograms of the rows that the table has. */
static struct view *add_histograms(struct view *to, const struct interval_view *v)
{
	static const struct view layers[] = {
		HISTOGRAM("layers.app", "(app)"),
		HISTOGRAM("layers.vfs", "(vfs)"),
		HISTOGRAM("layers.device", "(device)"),
	};
	static const struct view rows[][2] = {
		{ HISTOGRAM("devices.*|others.devices.*", DISK),
		  HISTOGRAM("devices.*.operations.*", "{^name}{^stacked} {@}") },
		{ HISTOGRAM("cgroups.*.layers.vfs|others.cgroups.*.layers.vfs", GROUP " (vfs)"),
		  HISTOGRAM("cgroups.*.layers.device|others.cgroups.*.layers.device", GROUP) },
		{ HISTOGRAM("processes.*.layers.vfs|others.processes.*.layers.vfs",
			    PROCESS " (vfs)"),
		  HISTOGRAM("processes.*.layers.device|others.processes.*.layers.device",
			    PROCESS) },
	};
	int kind = v->processes ? 2 : v->groups;

	if (!v->disk && !v->group)
		to = (struct view *)mempcpy(to, layers, sizeof(layers));
	*to++ = rows[kind][0];
	if (kind || v->parts)
		*to++ = rows[kind][1];
	return to;
}

/* Metrics that are no columns. */
static const char *const for_rows[] = { "accesses", NULL };
static const char *const for_estimates[] = { "span_repaired_fraction", NULL };
static const char *const for_histograms[] = { "latency_p50_ns", "latency_p90_ns", "latency_p95_ns",
					      KEY_LATENCY_P99,	"latency_max_ns", NULL };

static const char **add_keys(const char **to, const char *const *keys)
{
	while (*keys)
		*to++ = *keys++;
	*to = NULL;
	return to;
}

static void set_keys(const char **to, const struct interval_view *v,
		     const struct view_column *columns, bool has_histograms)
{
	for (columns++; columns->path; columns++)
		*to++ = columns->path;
	to = add_keys(to, for_rows);
	if (v->human)
		to = add_keys(to, for_estimates);
	if (has_histograms)
		add_keys(to, for_histograms);
}

void interval_views(struct interval_views *to, const struct interval_view *v, bool has_histograms)
{
	struct view *end = to->views;

	set_columns(to->columns, v);
	set_keys(to->keys, v, to->columns, has_histograms);
	set_row(to->row, v, to->columns);
	*end++ = (struct view){ .path = "clock" };
	*end++ = (struct view){ .path = "unmatched" };
	if (!v->disk && !v->group)
		end = add_layers(end, to->columns, v->parts);
	*end++ = (struct view){ .path = row_paths[v->processes ? 2 : v->groups],
				.inner = to->row,
				.is_more = true };
	*end++ = (struct view){ .path = "loss_texts.*" };
	if (has_histograms)
		end = add_histograms(end, v);
	*end = (struct view){};
}
