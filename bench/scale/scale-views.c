// SPDX-License-Identifier: GPL-2.0-or-later
#include "bench/model/predict-show.h"
#include "bench/scale/scale-result.h"
#include "user/metric/metric.h"
#include "user/show/show-json.h"

#define MEASURED \
	COLUMN(KEY_BANDWIDTH), COLUMN("half_width_fraction", .title = "+-"), \
		COLUMN("layers.app.bps", .title = "BPS app"), \
		COLUMN("layers.vfs.bps", .title = "BPS vfs"), \
		COLUMN("layers.device.bps", .title = "BPS device"), COLUMN("iops"), \
		COLUMN(KEY_LATENCY_MEAN), COLUMN("steady"), \
		COLUMN("others_cpu_fraction", .title = "others")

/* @key: the parameter, @k: its kind, @t: the title of its column. */
#define CURVE_COLUMNS(key, t, k) \
	COLUMN("is_focal", .title = "", .mark = "*", .none = ""), COLUMN_OF("workload." #key, t, k)
#define CURVE(key, t, k) \
	static const struct view_column key[] = { CURVE_COLUMNS(key, t, k), MEASURED, {} }

CURVE(unique_bytes, "unique bytes", VIEW_BY_UNIT);
CURVE(read_fraction, "read", VIEW_BY_UNIT);
CURVE(sequential_fraction, "sequential", VIEW_BY_UNIT);
CURVE(process_count, "processes", VIEW_BY_UNIT);
CURVE(depth, "depth", VIEW_COUNT);

static const struct view_column size_bytes[] = {
	CURVE_COLUMNS(size_bytes, "size", VIEW_BY_UNIT),
	COLUMN("size_cv", .title = "size CV"),
	MEASURED,
	{},
};

static const struct view_column borders[] = {
	COLUMN("unique_bytes", .title = "border"),
	COLUMN_OF("unique_bytes_band.min", "low", VIEW_BYTES),
	COLUMN_OF("unique_bytes_band.max", "high", VIEW_BYTES),
	COLUMN("from_bytes", .title = "falls from"),
	COLUMN("to_bytes", .title = "to"),
	COLUMN("p"),
	{},
};

static const struct view_column range[] = {
	COLUMN_OF("@", "", VIEW_NAME),
	COLUMN("min"),
	COLUMN("max"),
	{},
};

static const struct view_column steps[] = {
	COLUMN("elapsed_ns", .title = "after"),
	COLUMN_OF("probes", "probes", VIEW_COUNT),
	COLUMN("product.error_median_fraction", .title = "product: median"),
	COLUMN("product.error_p90_fraction", .title = "90 %"),
	COLUMN("kriging.error_median_fraction", .title = "kriging: median"),
	COLUMN("kriging.error_p90_fraction", .title = "90 %"),
	{},
};

static const struct view_column points[] = {
	WORKLOAD_COLUMNS("workload.", ""),
	COLUMN("engine"),
	MEASURED,
	COLUMN("probe"),
	COLUMN("size_cv"),
	{},
};

#define CURVE_VIEW(key) VIEW("curves." #key ".*", .columns = key, .left = 1)

static const struct view region[] = {
	VIEW("focal_description", .title = "focal point (*)"),
	VIEW("traits.sentences.*"),
	VIEW("focal_band.*", .columns = range, .left = 1,
	     .title = "half-way performance, 95 % confidence intervals"),
	VIEW("good_ranges.*", .columns = range, .left = 1,
	     .title = "at least 75 % of the highest performance"),
	CURVE_VIEW(unique_bytes),
	CURVE_VIEW(size_bytes),
	CURVE_VIEW(read_fraction),
	CURVE_VIEW(sequential_fraction),
	CURVE_VIEW(process_count),
	CURVE_VIEW(depth),
	{},
};

const struct view scale_views[] = {
	VIEW("conclusion"),
	VIEW("title"),
	VIEW("borders.*", .columns = borders, .is_head = true),
	VIEW("sweep.*", .columns = unique_bytes),
	VIEW("regions.*", .title = "{title}", .inner = region),
	VIEW("feedback.*", .columns = steps, .only_with = "is_shown",
	     .title = "prediction error of the random probes"),
	VIEW("points.*", .columns = points, .is_csv = true, .is_hidden = true),
	VIEW("", .inner = show_evidence_views),
	{},
};
