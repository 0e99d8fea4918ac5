// SPDX-License-Identifier: GPL-2.0-or-later
/* The views of the results of iospan run and iospan report. A view describes a table, section or
 * line of the output (user/result/view.h). A path such as "layers.*" leads to the rows of a table.
 * A view of a path that a result does not have prints nothing. */
#include "user/show/show-json.h"

/* Shows only rows with accesses, or with T above 0. T is the time with accesses in flight. A row
 * without accesses has T if an access was in flight during the whole interval. */
#define USED .only_with = "accesses|span_ns"

#define AMOUNT COLUMN("accesses"), COLUMN("bytes")
#define RATES \
	COLUMN("span_ns", .estimated = "span_repaired_fraction", \
	       .missing = "span_missing_fraction"), \
		COLUMN("bps"), COLUMN("iops"), COLUMN(KEY_BANDWIDTH)
#define BUSY COLUMN(KEY_BUSY, .kind = VIEW_FRACTION)
#define SUM \
	AMOUNT, RATES, COLUMN(KEY_LATENCY_MEAN), COLUMN(KEY_LATENCY_P99), COLUMN(KEY_QUEUE_MEAN), \
		BUSY

const struct view_column show_layers[] = {
	COLUMN("@", .title = "layer"),
	AMOUNT,
	COLUMN("errors"),
	RATES,
	COLUMN(KEY_LATENCY_MEAN),
	COLUMN("concurrency"),
	BUSY,
	{},
};

const struct view_column show_latencies[] = {
	COLUMN("@", .title = "latency"), COLUMN("latency_p50_ns"),
	COLUMN("latency_p90_ns"),	 COLUMN("latency_p95_ns"),
	COLUMN(KEY_LATENCY_P99),	 COLUMN("latency_p999_ns"),
	COLUMN("latency_max_ns"),	 {},
};

const struct view_column show_operations[] = {
	COLUMN("^@", .title = "layer"),
	COLUMN("@", .title = "op"),
	SUM,
	{},
};

const struct view_column show_disk_operations[] = {
	COLUMN("^name", .title = "device", .starred = "^stacked"),
	COLUMN("@", .title = "op"),
	SUM,
	{},
};

/* Makes two tables of the members of the array @list, such as cgroups. The first table has one row
 * per layer, which adds up reads and writes. The second table has one row per layer and
 * operation. */
#define TABLES(list, kind, above, two_above) \
	VIEW(list ".*.layers.*|others." list ".*.layers.*", .left = 2, USED, .name = above, \
	     COLUMN_LIST(COLUMN("", .title = kind), COLUMN("@", .title = "layer"), SUM)), \
		VIEW(list ".*.layers.*.operations.*|others." list ".*.layers.*.operations.*", \
		     .left = 3, USED, .name = two_above, \
		     COLUMN_LIST(COLUMN("", .title = kind), COLUMN("^@", .title = "layer"), \
				 COLUMN("@", .title = "op"), SUM))
#define TITLED(list, kind) TABLES(list, kind, "{^title}", "{^^title}")

#define HISTOGRAMS(list, kind) \
	HISTOGRAM(list ".*.layers.*|others." list ".*.layers.*", kind " {^title} {@}", \
		  .limited = kind), \
		HISTOGRAM(list ".*.layers.*.operations.sync|others." list \
			       ".*.layers.*.operations.sync", \
			  kind " {^^title} {@} sync", .limited = kind)

/* Paths for view.only_with. If the document has no histogram, the views of histograms are skipped.
 * Without this check, iospan would make all rows of large tables again, and find no histogram in
 * them. */
#define SOME_HISTOGRAM \
	"layers.app." KEY_HISTOGRAM "|layers.vfs." KEY_HISTOGRAM "|layers.device." KEY_HISTOGRAM

static const struct view table_histograms[] = {
	HISTOGRAMS("devices_accessed", "device"),
	HISTOGRAMS("cgroups", "cgroup"),
	HISTOGRAMS("processes", "process"),
	HISTOGRAMS("files_accessed", "file"),
	{},
};

/* ---- CSV ---- */

#define IN_CSV .is_csv = true, .is_hidden = true
#define PRESSURE(to) \
	COLUMN(to KEY_PRESSURE "." KEY_PSI_SOME), COLUMN(to KEY_PRESSURE "." KEY_PSI_FULL), \
		COLUMN(to KEY_PRESSURE "." KEY_DIRTY)
#define SHARING(to) \
	COLUMN(to KEY_SHARING ".alone.span_ns"), COLUMN(to KEY_SHARING ".shared.span_ns"), \
		COLUMN(to KEY_SHARING "." KEY_SHARED_FRACTION), \
		COLUMN(to KEY_SHARING "." KEY_SLOWDOWN)
/* Defines the columns of a view in CSV. @path leads to the rows. @pressure and @sharing are paths
 * from a row to the object with the values of PRESSURE or SHARING. The path "" is the row itself,
 * and "^" is the parent of the row in the document. */
#define CSV_WITH(pressure, sharing, path, layer, kind, name, op, ...) \
	VIEW(path, IN_CSV, \
	     COLUMN_LIST(COLUMN(layer, .title = "layer"), COLUMN(kind, .title = "kind"), \
			 COLUMN(name, .title = "name"), COLUMN(op, .title = "op"), \
			 SHOW_EVERY_METRIC, PRESSURE(pressure), SHARING(sharing)), \
	     __VA_ARGS__)
#define CSV(...) CSV_WITH("", "", __VA_ARGS__)
#define USED_OR_WAITING .only_with = "accesses|span_ns|^" KEY_PRESSURE "." KEY_PSI_SOME
/* CSV rows of a table of devices, cgroups, processes or files (@kind) */
#define CSV_ROWS(kind) \
	{ \
		CSV_WITH("^", "", "layers.app", "=app", kind, "^title", "=" READ_WRITE, \
			 USED_OR_WAITING), \
			CSV_WITH("^", "", "layers.vfs", "=vfs", kind, "^title", "=" READ_WRITE, \
				 USED_OR_WAITING), \
			CSV_WITH("^", "^", "layers.device", "=device", kind, "^title", \
				 "=" READ_WRITE, USED_OR_WAITING), \
			CSV("layers.*.operations.*", "^@", kind, "^^title", "@", USED), {}, \
	}

static const struct view disk_rows[] = CSV_ROWS("=device");
static const struct view group_rows[] = CSV_ROWS("=cgroup");
static const struct view process_rows[] = CSV_ROWS("=process");
static const struct view file_rows[] = CSV_ROWS("=file");

const struct view show_views[] = {
	VIEW("title"),
	VIEW("recordings.*.title"),
	VIEW("layers.*", .left = 1, .columns = show_layers),
	VIEW("waiting.*", .left = 1, .only_with = KEY_WAIT,
	     COLUMN_LIST(COLUMN("@", .title = "waiting"), COLUMN(KEY_WAIT),
			 COLUMN("wait_for_device_ns", .title = "for the device"),
			 COLUMN("wait_above_device_ns", .title = "above the device"),
			 COLUMN("device_unwaited_ns", .title = "device alone"))),
	VIEW("summary.*"),
	VIEW("top.*", .left = 2, .is_head = true,
	     COLUMN_LIST(COLUMN("title", .title = "most bytes"), COLUMN("kind", .title = ""),
			 COLUMN("layers.app.bytes", .title = "app"),
			 COLUMN("layers.app.span_ns", .title = "T"),
			 COLUMN("layers.vfs.bytes", .title = "vfs"),
			 COLUMN("layers.vfs.span_ns", .title = "T"),
			 COLUMN("layers.device.bytes", .title = "device"),
			 COLUMN("layers.device.span_ns", .title = "T"))),
	VIEW("layers.*", .left = 1, .columns = show_latencies),
	VIEW("layers.*.operations.sync", .name = "{@} sync", .left = 1, .is_more = true, USED,
	     .columns = show_latencies),
	VIEW("layers.*.operations.*", .left = 2, USED, .columns = show_operations),
	VIEW("devices.*", .left = 1, USED,
	     COLUMN_LIST(COLUMN("name", .title = "device", .starred = "stacked"), SUM)),
	VIEW("devices.*.operations.*", .left = 2, USED, .columns = show_disk_operations),
	TITLED("devices_accessed", "device"),
	TABLES("cgroups", "cgroup", "{^name|^title}", "{^^name|^^title}"),
	TITLED("processes", "process"),
	TITLED("files_accessed", "file"),
	HISTOGRAM("layers.*.operations.*", "{^@} {@}"),
	HISTOGRAM("devices.*.operations.*", "device {^name} {@}", .limited = "device"),
	VIEW("", .inner = table_histograms, .is_more = true, .only_with = SOME_HISTOGRAM),
	VIEW("slices.*.layers.*",
	     COLUMN_LIST(COLUMN("^from_ns"), COLUMN("@", .title = "layer"), AMOUNT,
			 COLUMN("errors"), RATES, COLUMN("concurrency"), BUSY)),
	VIEW("", .inner = show_evidence_views),
	VIEW("notes.*", .is_note = true, .is_hidden = true, .warns = true),
	VIEW("kernel_sums.differences.*"),
	VIEW("kernel_sums.equal.*", .is_verbose = true),

	CSV_WITH("^", "", "layers.*", "@", "=layer", "=", "=" READ_WRITE, ),
	CSV("layers.*.operations.*", "^@", "=layer", "=", "@", USED),
	CSV("layers.vfs.sources.*", "=vfs", "=source", "@", "=all", USED),
	CSV("devices.*", "=device", "=device", "name", "=" READ_WRITE, USED),
	CSV("devices.*.operations.*", "=device", "=device", "^name", "@", USED),
	VIEW("devices_accessed.*", IN_CSV, .inner = disk_rows),
	VIEW("cgroups.*", IN_CSV, .inner = group_rows),
	VIEW("processes.*", IN_CSV, .inner = process_rows),
	VIEW("files_accessed.*", IN_CSV, .inner = file_rows),
	CSV("slices.*.layers.*", "@", "=slice", "^from_ns", "=" READ_WRITE, ),
	{},
};

#define BUCKETS(path, layer, kind, name, op) \
	VIEW(path "." KEY_HISTOGRAM ".*", IN_CSV, \
	     COLUMN_LIST(COLUMN(layer, .title = "layer"), COLUMN(kind, .title = "kind"), \
			 COLUMN(name, .title = "name"), COLUMN(op, .title = "op"), \
			 COLUMN("latency_from_ns"), COLUMN("latency_to_ns"), COLUMN("accesses")))
/* CSV rows of the histograms of all members of @list, such as "cgroups". @kind is the value of the
 * CSV column "kind", such as "=cgroup". */
#define BUCKETS_OF(list, kind) \
	BUCKETS(list ".*.layers.*", "^@", kind, "^^title", "=" READ_WRITE), \
		BUCKETS(list ".*.layers.*.operations.*", "^^@", kind, "^^^title", "^@")

const struct view show_histogram_csv[] = {
	BUCKETS("layers.*", "^@", "=layer", "=", "=" READ_WRITE),
	BUCKETS("layers.*.operations.*", "^^@", "=layer", "=", "^@"),
	BUCKETS("devices.*", "=device", "=device", "^name", "=" READ_WRITE),
	BUCKETS("devices.*.operations.*", "=device", "=device", "^^name", "^@"),
	BUCKETS_OF("devices_accessed", "=device"),
	BUCKETS_OF("cgroups", "=cgroup"),
	BUCKETS_OF("processes", "=process"),
	BUCKETS_OF("files_accessed", "=file"),
	VIEW("", .inner = show_evidence_views),
	VIEW("notes.*", .is_note = true, .is_hidden = true, .warns = true),
	{},
};
