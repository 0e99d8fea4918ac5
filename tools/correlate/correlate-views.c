// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/correlate/correlate-result.h"

static const struct view_column io_times[] = {
	COLUMN("@", .title = "I/O time"),
	COLUMN("strongest.column", .title = "strongest column"),
	COLUMN("job_count", .title = "jobs"),
	COLUMN("mean_ns"),
	COLUMN("standard_deviation_ns", .title = "deviation"),
	COLUMN("strongest.value", .title = "distance"),
	COLUMN("strongest.p_holm", .title = "p"),
	COLUMN("strongest.explained_fraction", .title = "linear fit"),
	{},
};

static const struct view_column columns[] = {
	COLUMN("column"),
	COLUMN("mean_amount", .title = "mean", .unit_of = "unit"),
	COLUMN("distance_correlation.value", .title = "distance"),
	COLUMN("distance_correlation.by_chance", .title = "by chance"),
	COLUMN("distance_correlation.p_holm", .title = "p"),
	COLUMN("explained_fraction", .title = "linear fit"),
	COLUMN("pearson.value", .title = "Pearson"),
	COLUMN("spearman.value", .title = "Spearman"),
	COLUMN("mutual_information.value", .title = "information"),
	{},
};

static const struct view_column curve[] = {
	COLUMN("amount", .unit_of = "^unit"),
	COLUMN("forest_ns"),
	COLUMN("median_ns"),
	COLUMN("low_ns", .title = "5 %"),
	COLUMN("high_ns", .title = "95 %"),
	{},
};

static const struct view_column granularity[] = {
	COLUMN("^merged_intervals", .title = "merged"),
	COLUMN("^interval_ns"),
	COLUMN("job_count", .title = "jobs"),
	COLUMN_OF("^intervals_per_job", "intervals", VIEW_RATIO),
	COLUMN("distance_correlation.value", .title = "distance"),
	COLUMN("pearson.value", .title = "Pearson"),
	COLUMN("spearman.value", .title = "Spearman"),
	COLUMN("mutual_information.value", .title = "information"),
	{},
};

static const struct view_column job_io[] = {
	COLUMN("file_systems", .title = "files on"),
	COLUMN("process_count", .title = "processes"),
	COLUMN("unique_file_count", .title = "unique files"),
	COLUMN("shared_file_count", .title = "shared files"),
	COLUMN("read_bytes", .title = "read"),
	COLUMN("write_bytes", .title = "written"),
	COLUMN("job_count", .title = "jobs"),
	{},
};

static const struct view_column coverage[] = {
	COLUMN("system_bytes", .title = "bytes of the system"),
	COLUMN("jobs_bytes", .title = "of the jobs"),
	COLUMN("jobs_fraction", .title = "fraction"),
	{},
};

static const struct view_column prediction[] = {
	COLUMN("job_count", .title = "jobs"),
	COLUMN("mean_error_ns", .title = "mean alone"),
	COLUMN("forest_error_ns", .title = "forest"),
	COLUMN("median_error_ns", .title = "median"),
	{},
};

#define MEASURE(name) \
	COLUMN(name ".value"), COLUMN(name ".p"), COLUMN(name ".p_holm"), COLUMN(name ".by_chance")

const struct view_column correlate_csv[] = {
	COLUMN("io_time"),
	COLUMN("column"),
	COLUMN("job_count"),
	COLUMN("unit"),
	COLUMN("mean_amount"),
	COLUMN("explained_fraction"),
	MEASURE("pearson"),
	MEASURE("spearman"),
	MEASURE("distance_correlation"),
	MEASURE("mutual_information"),
	{},
};

const struct view correlate_tables[] = {
	VIEW("correlation.io_times.*", .columns = io_times, .left = 2, .only_with = "job_count"),
	VIEW("correlation.associations.*", .title = "{correlation.columns_title}",
	     .columns = columns, .left = 1, .most = 12, .only_with = "is_examined"),
	{},
};

const struct view correlate_views[] = {
	VIEW("conclusion"),
	VIEW("title", .is_head = true),
	VIEW("", .inner = correlate_tables),
	VIEW("correlation.column_curves.*.points.*", .title = "{correlation.curve_title}",
	     .columns = curve, .most = 20, .only_with = "^is_strongest"),
	VIEW("correlation.granularity.*.associations.*", .columns = granularity, .most = 20,
	     .only_with = "is_strongest",
	     .title = "measures of this column, with intervals merged"),
	VIEW("correlation.prediction.models.*", .columns = prediction,
	     .title = "mean error of the predicted I/O time, by the number of jobs in the model"),
	VIEW("job_io.*", .columns = job_io, .left = 1, .title = "I/O of the jobs, median"),
	VIEW("coverage", .columns = coverage, .only_with = "system_bytes",
	     .title = "bytes of the jobs beside those of the system"),
	VIEW("correlation.notes.*", .is_note = true),
	VIEW("correlation.associations.*", .columns = correlate_csv, .is_csv = true,
	     .is_hidden = true),
	{},
};
