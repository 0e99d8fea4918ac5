/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON document of a report, and its views, which describe the tables in text, CSV and HTML
 * (view.h). A sum has the counters, T and histogram of a set of accesses. T is the time in which at
 * least one of the accesses was in flight. */
#ifndef IOSPAN_SHOW_SHOW_JSON_H
#define IOSPAN_SHOW_SHOW_JSON_H

#include "user/result/view.h"
#include "user/show/show.h"

struct out *show_document(const struct report *r);

/* Views of the document of show_document(). iospan report uses these views, too, for a document
 * with more tables. */
extern const struct view show_views[];
/* View of the CSV of option --histogram: a row for each bucket. */
extern const struct view show_histogram_csv[];

/* Columns of tables. The rows of a table are the objects at a path in the document (view.h). The
 * path is "layers.*" for show_layers and show_latencies, "layers.*.operations.*" for
 * show_operations, and "devices.*.operations.*" for show_disk_operations. */
extern const struct view_column show_layers[], show_latencies[];
extern const struct view_column show_operations[], show_disk_operations[];

/* The CSV columns with the metrics of a sum. */
#define SHOW_EVERY_METRIC \
	COLUMN("accesses"), COLUMN("bytes"), COLUMN("errors"), COLUMN("span_ns"), \
		COLUMN(KEY_WAIT), COLUMN("bps"), COLUMN("iops"), COLUMN(KEY_BANDWIDTH), \
		COLUMN(KEY_LATENCY_MEAN), COLUMN("latency_p50_ns"), COLUMN("latency_p90_ns"), \
		COLUMN("latency_p95_ns"), COLUMN(KEY_LATENCY_P99), COLUMN("latency_p999_ns"), \
		COLUMN("latency_max_ns"), COLUMN("concurrency"), COLUMN(KEY_BUSY), \
		COLUMN("blocks"), COLUMN(KEY_LATENCY_SUM), COLUMN(KEY_QUEUE_MEAN), \
		COLUMN("queued"), COLUMN("span_repaired_fraction")

/* Add members to the JSON object @doc. show_summary_json() adds sentences about the layers.
 * show_numbers_json() adds the numbers. show_evidence_json() adds losses, notes, limits, and how
 * iospan watched each layer. */
void show_summary_json(struct out *doc, const struct report *r);
void show_numbers_json(struct out *doc, const struct report *r);
void show_evidence_json(struct out *doc, const struct report *r);
/* If completions were lost, adds the sentence with the estimated fractions of T
 * (show_estimated_text()) to the losses. */
void show_estimated_json(struct out *doc, const struct measurement *m);
extern const struct view show_evidence_views[];

/* Return a part of the document as JSON, which the caller frees. Return NULL if the layer has no
 * numbers. */
struct out *show_layer_json(const struct report *r, int layer);
struct out *show_layers_json(const struct report *r);
struct out *show_sum_json(const struct report *r, const struct sum *s);
struct out *show_operations_json(const struct report *r, const struct sum *ops,
				 const char *const *names, int n);
/* Returns a JSON object with the key "sync". If there were no syncs, the object is empty. */
struct out *show_sync_json(const struct report *r, const struct sum *sync);
struct out *show_backends_json(const struct report *r);

#define KEY_HISTOGRAM "latency_histogram"

/* Returns an array of the buckets of @hist that have accesses. The caller frees it. */
struct out *histogram_json(const u64 hist[HIST_BUCKETS]);

/* A table of the latency histogram of a sum. Each row is for the latencies from one power of two to
 * the next. Its bar shows the number of accesses:
 *
 *   latency from       to  accesses
 *        65.5 us   131 us      4921  |****************************************|
 *         131 us   262 us       100  |*                                       | */
extern const struct view histogram_rows[];

/* Makes a view (view.h) that prints a section for each sum at path @p. The title of the section is
 * @name and some percentiles, which value_fill() inserts. The content is the table
 * histogram_rows. */
#define HISTOGRAM(p, name, ...) \
	VIEW(p, \
	     .title = name ": p50 {latency_p50_ns}, p90 {latency_p90_ns}, p95 {latency_p95_ns}, " \
			   "p99 {latency_p99_ns}, max {latency_max_ns}", \
	     .only_with = KEY_HISTOGRAM, .inner = histogram_rows, __VA_ARGS__)

#endif
