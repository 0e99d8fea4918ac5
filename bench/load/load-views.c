// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables for the text and CSV output of a load. Their columns are keys of the JSON result. */
#include "bench/load/load-result.h"
#include "bench/load/verify-result.h"
#include "user/show/show-json.h"

static const struct view_column csv[] = { COLUMN("@"), SHOW_EVERY_METRIC, {} };

static const struct view_column intervals[] = {
	COLUMN("load.interval_ns"),
	COLUMN("confidence_interval.interval_count", .title = "intervals"),
	COLUMN("confidence_interval.iops", .title = "rate",
	       .deviation = "confidence_interval.half_width_iops"),
	COLUMN("confidence_interval.batches"),
	COLUMN("confidence_interval.autocorrelation"),
	COLUMN("steady_state.reached", .title = "steady"),
	COLUMN("steady_state.range_fraction", .title = "range (at most 20 %)"),
	COLUMN("steady_state.slope_fraction", .title = "slope (at most 10 %)"),
	{},
};

static const struct view_column requests[] = { COLUMN("unique_bytes", .title = "data"),
					       COLUMN("unique_bytes_by_target", .title = "",
						      .mark = "by target"),
					       COLUMN("size_bytes", .title = "size"),
					       COLUMN("size_distribution"),
					       COLUMN("size_cv", .title = "size CV"),
					       COLUMN("read_fraction"),
					       COLUMN("sequential_fraction"),
					       COLUMN("zipf"),
					       COLUMN("rate_per_second"),
					       COLUMN("arrivals"),
					       COLUMN("think_ns"),
					       COLUMN("seed"),
					       {} };

static const struct view_column engine[] = {
	COLUMN("class"),
	COLUMN("engine"),
	COLUMN("buffered", .off = "no"),
	COLUMN("iopoll", .off = "no"),
	COLUMN("sqpoll", .off = "no"),
	COLUMN("passthrough", .off = "no"),
	COLUMN("process_count"),
	COLUMN("threads", .off = "no"),
	COLUMN("depth"),
	COLUMN("depth_by_class", .title = "", .mark = "by class"),
	COLUMN("batch"),
	COLUMN("batch_by_class", .title = "", .mark = "by class"),
	{}
};

const struct view load_views[] = {
	VIEW("conclusion"),
	VIEW("load.targets.*", .title = "target"),
	VIEW("layers.*", .columns = show_layers, .left = 1, .only_with = "accesses"),
	VIEW("layers.*", .columns = show_latencies, .left = 1, .only_with = "accesses"),
	VIEW("layers.*.operations.*", .columns = show_operations, .left = 2),
	VIEW("devices.*.operations.*", .columns = show_disk_operations, .left = 2),
	VIEW("", .columns = intervals, .only_with = "confidence_interval.iops"),
	VIEW("amplification.vfs_per_app", .title = "bytes of vfs / app"),
	VIEW("amplification.device_per_vfs", .title = "bytes of device / vfs"),
	VIEW("verify", .columns = verify_checks),
	VIEW("verify.first_differences.*", .columns = verify_differences, .left = 3),
	VIEW("load", .columns = requests),
	VIEW("load", .columns = engine, .left = 2),
	VIEW("layers.*", .columns = csv, .is_csv = true, .is_hidden = true,
	     .only_with = "accesses"),
	VIEW("", .inner = show_evidence_views),
	{},
};
