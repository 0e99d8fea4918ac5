// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables for the text and CSV output of b_eff_io. Their columns are keys of the JSON result. */
#include "bench/beff/beff.h"
#include "user/show/show-json.h"

static const struct view_column partitions[] = {
	COLUMN("process_count", .title = "processes"),
	COLUMN("node_count", .title = "nodes"),
	COLUMN("node_process_count", .title = "per node"),
	COLUMN("b_eff_io_2_bytes_per_second", .title = "result 2.x"),
	COLUMN("b_eff_io_1_bytes_per_second", .title = "result 1.x"),
	COLUMN("write_average_bytes_per_second"),
	COLUMN("segment_bytes", .title = "segment"),
	COLUMN("checked_bytes"),
	COLUMN("wrong_chunks"),
	{},
};

static const struct view_column accesses[] = {
	COLUMN("^process_count", .title = "processes"),
	COLUMN("access_method", .title = "access"),
	COLUMN("bytes"),
	COLUMN("memory_fraction", .title = "of the memory"),
	COLUMN("elapsed_ns", .title = "time"),
	COLUMN("sync_ns", .title = "sync time"),
	COLUMN(KEY_BANDWIDTH),
	COLUMN("weighted_bytes_per_second", .title = "weighted average"),
	{},
};

#define CHUNK(name) COLUMN("patterns.chunk=" name "." KEY_BANDWIDTH, .title = name)
#define TYPE_OF \
	COLUMN("^^process_count", .title = "PEs"), COLUMN("^access_method", .title = "access"), \
		COLUMN("type")

/* The chunk sizes are split over two tables, because one table would be too wide for text. */
static const struct view_column small_chunks[] = {
	TYPE_OF, CHUNK("1k"), CHUNK("1k+8"), CHUNK("32k"), CHUNK("32k+8"), {},
};

static const struct view_column large_chunks[] = {
	TYPE_OF,
	CHUNK("1M"),
	CHUNK("1M+8"),
	CHUNK("MPART"),
	COLUMN(KEY_BANDWIDTH, .title = "total"),
	{},
};

#define DEVICE(name) COLUMN("patterns.chunk=" name ".layers.device.bps", .title = name)

static const struct view_column small_device[] = {
	TYPE_OF, DEVICE("1k"), DEVICE("1k+8"), DEVICE("32k"), DEVICE("32k+8"), DEVICE("1M"), {},
};

static const struct view_column large_device[] = {
	TYPE_OF,
	DEVICE("1M+8"),
	DEVICE("MPART"),
	DEVICE("1M of 2M"),
	DEVICE("first"),
	DEVICE("filler"),
	{},
};

#define BPS(layer) COLUMN("layers." layer ".bps", .title = "BPS " layer)
#define MEASURED COLUMN(KEY_BANDWIDTH), BPS("app"), BPS("vfs"), BPS("device"), COLUMN("errors")

static const struct view_column extensions[] = {
	COLUMN("process_count", .title = "processes"),
	COLUMN("extension"),
	COLUMN("chunk"),
	MEASURED,
	{},
};

static const struct view_column criteria[] = {
	COLUMN("description", .title = "criterion"),
	COLUMN("met"),
	COLUMN("value", .kind = VIEW_RATIO),
	COLUMN("at_least", .kind = VIEW_RATIO),
	COLUMN("at_most", .kind = VIEW_RATIO),
	COLUMN("decides"),
	{},
};

static const struct view_column setup[] = {
	COLUMN("engine"),
	COLUMN("scheduled_ns"),
	COLUMN("elapsed_ns", .title = "time"),
	COLUMN("check_ns", .title = "check time"),
	COLUMN("memory_bytes", .title = "memory"),
	COLUMN("mpart_bytes", .title = "MPART"),
	COLUMN("rewrite_all", .title = "rewrites all"),
	COLUMN("repeated"),
	COLUMN("geometric"),
	COLUMN("shared_pointer"),
	COLUMN("collective_buffering", .title = "collective"),
	{},
};

static const struct view_column nodes[] = {
	COLUMN("host", .title = "node"),
	COLUMN("process_count", .title = "processes"),
	COLUMN("cache_bytes", .title = "cache"),
	{},
};

static const struct view_column hints[] = {
	COLUMN("process_count", .title = "processes", .none = "all"),
	COLUMN("access_method", .title = "access", .none = "all"),
	COLUMN("type", .none = "all"),
	COLUMN("chunk", .none = "all"),
	COLUMN("hint_key"),
	COLUMN("hint_value"),
	{},
};

#define PATTERN \
	COLUMN("^^^^hints_file"), COLUMN("^^^process_count"), COLUMN("^^access_method"), \
		COLUMN("^type"), COLUMN("chunk")
#define SIZES COLUMN("chunk_bytes"), COLUMN("call_bytes"), COLUMN("units"), COLUMN("bytes")
#define TIMES \
	COLUMN("scheduled_ns"), COLUMN("elapsed_ns"), COLUMN("io_ns"), COLUMN("barrier_ns"), \
		COLUMN("sync_ns"), COLUMN("repetitions")

static const struct view_column csv[] = { PATTERN, SIZES, TIMES, MEASURED, {} };

#define TYPES_OF_RUN "partitions.*.access_methods.*.types.*"
#define PATTERNS TYPES_OF_RUN ".patterns.*"

const struct view beff_views[] = {
	VIEW("conclusion"),
	VIEW("verdict", .title = "verdict"),
	VIEW("targets.*", .title = "target"),
	VIEW("kept_directory", .title = "kept files"),
	VIEW("hints_file", .title = "hints"),
	VIEW("partitions.*", .columns = partitions, .left = 1),
	VIEW("partitions.*.access_methods.*", .columns = accesses, .left = 2, .is_head = true),
	VIEW(TYPES_OF_RUN, .columns = small_chunks, .left = 3),
	VIEW(TYPES_OF_RUN, .columns = large_chunks, .left = 3),
	VIEW(TYPES_OF_RUN, .columns = small_device, .left = 3,
	     .title = "BPS device of each pattern",
	     .only_with = "patterns.chunk=first.layers.device"),
	VIEW(TYPES_OF_RUN, .columns = large_device, .left = 3,
	     .only_with = "patterns.chunk=first.layers.device"),
	VIEW("extensions.*", .columns = extensions, .left = 3,
	     .title = "extensions (not part of b_eff_io)"),
	VIEW("criteria.*", .columns = criteria, .left = 2),
	VIEW("", .columns = setup, .left = 1),
	VIEW("nodes.*", .columns = nodes, .left = 1),
	VIEW("hints.*", .columns = hints, .left = 6),
	VIEW("deviations.*", .title = "deviation from 2.1", .is_verbose = true),
	VIEW(PATTERNS, .columns = csv, .is_csv = true, .is_hidden = true),
	VIEW("", .inner = show_evidence_views),
	{},
};

#define TYPE(name) COLUMN("types.type=" name "." KEY_BANDWIDTH, .title = name)
#define TYPES \
	TYPE("scatter"), TYPE("shared"), TYPE("separated"), TYPE("segmented"), TYPE("seg_coll")

static const struct view_column by_hints[] = {
	COLUMN("^process_count", .title = "processes"),
	COLUMN("access_method", .title = "access", .none = "average"),
	COLUMN("^^hints_file", .title = "hints", .none = "none"),
	TYPES,
	COLUMN("weighted_bytes_per_second"),
	{},
};

static const struct view_column run_values[] = {
	COLUMN("hints_file", .title = "hints", .none = "none"),
	COLUMN("b_eff_io_bytes_per_second", .title = "result"),
	COLUMN("verdict"),
	COLUMN("complete"),
	{},
};

#define BY_HINTS(access) \
	VIEW("runs.*.partitions.*." access, .columns = by_hints, .left = 3, \
	     .only_with = "weighted_bytes_per_second")

const struct view beff_runs_views[] = {
	VIEW("conclusion"),
	VIEW("runs.*", .columns = run_values, .left = 1, .is_head = true),
	BY_HINTS("access_methods.write"),
	BY_HINTS("access_methods.rewrite"),
	BY_HINTS("access_methods.read"),
	BY_HINTS("average"),
	VIEW("runs.*", .inner = beff_views),
	VIEW("runs.*." PATTERNS, .columns = csv, .is_csv = true, .is_hidden = true),
	{},
};
