// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables for the text, the page and the CSV of bench sets. CC is a correlation coefficient. */
#include "bench/sets/sets.h"
#include "user/metric/metric.h"
#include "user/show/show-json.h"

#define SPREAD(key, t) \
	COLUMN("metrics." key ".mean", .title = t, .deviation = "metrics." key ".deviation"), \
		COLUMN("metrics." key ".deviation", .is_extra = true)

#define RATES \
	SPREAD("time_ns", "time"), SPREAD("iops", "IOPS"), \
		SPREAD("bandwidth_vfs_bytes_per_second", "bandwidth vfs"), \
		SPREAD("bandwidth_device_bytes_per_second", "bandwidth device")
#define SPANS \
	SPREAD(KEY_LATENCY_MEAN, "ARPT"), SPREAD("bps_app", "BPS app"), \
		SPREAD("bps_vfs", "BPS vfs"), SPREAD("bps_device", "BPS device")

/* The metrics are split over two tables, because one table would be too wide for text. */
static const struct view_column rates[] = { COLUMN("case", .title = ""), RATES, {} };
static const struct view_column spans[] = { COLUMN("case", .title = ""), SPANS, {} };

static const struct view_column correlations[] = {
	COLUMN_OF("@", "with the time", VIEW_NAME),
	COLUMN("verdict", .title = ""),
	COLUMN_OF("cc", "CC", VIEW_COEFFICIENT),
	COLUMN_OF("low", "low", VIEW_COEFFICIENT),
	COLUMN_OF("high", "high", VIEW_COEFFICIENT),
	COLUMN_OF("spearman_cc", "Spearman", VIEW_COEFFICIENT),
	{},
};

#define WAY(way) \
	COLUMN("ways." way ".elapsed_ns", .title = "time " way), \
		COLUMN("ways." way ".bps", .title = "BPS " way)

static const struct view_column ways[] = {
	COLUMN("spacing_bytes", .title = "spacing"),
	COLUMN("target"),
	COLUMN("fastest"),
	WAY("alone"),
	WAY("sieving"),
	WAY("collective"),
	{},
};

#define CC(key, t) \
	COLUMN("correlations." key ".cc", .title = t, .kind = VIEW_COEFFICIENT, \
	       .starred = "correlations." key ".misleads")

static const struct view_column all_sets[] = {
	COLUMN("set"),
	COLUMN("target"),
	COLUMN("way", .only_with = "sieving"),
	CC("iops", "IOPS"),
	CC("bandwidth_vfs_bytes_per_second", "bandwidth vfs"),
	CC("bandwidth_device_bytes_per_second", "bandwidth device"),
	CC(KEY_LATENCY_MEAN, "ARPT"),
	CC("bps_app", "BPS app"),
	CC("bps_vfs", "BPS vfs"),
	CC("bps_device", "BPS device"),
	{},
};

static const struct view_column csv[] = {
	COLUMN("^set"), COLUMN("^target"), COLUMN("^way"), COLUMN("case"), RATES, SPANS, {},
};

static const struct view experiment[] = {
	VIEW("conclusion"),
	VIEW("cases.*", .columns = rates, .left = 1),
	VIEW("cases.*", .columns = spans, .left = 1),
	VIEW("correlations.*", .columns = correlations, .left = 2),
	VIEW("inverse_time_cc", .title = "CC of an ideal rate, 1 / time"),
	{},
};

const struct view sets_views[] = {
	VIEW("title", .is_head = true),
	VIEW("sets.*", .title = "{title}", .inner = experiment),
	VIEW("sieving.*", .columns = ways, .left = 3,
	     .title = "set 4: each region alone, with data sieving, and collectively"),
	VIEW("sets.*", .columns = all_sets, .left = 2, .only_with = "^conclusion",
	     .title = "CC of each set; * misleads"),
	VIEW("conclusion"),
	VIEW("sets.*.cases.*", .columns = csv, .is_csv = true, .is_hidden = true),
	VIEW("", .inner = show_evidence_views),
	{},
};
