// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the JSON document of a report. A sum has the counters and times of a set of accesses. T is
 * the time in which at least one access was in flight. W, the wait span, is T of the operations for
 * which a program waits: reads, writes and syncs, and flushes of a disk. */
#include "user/show/show-json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "user/host/dev.h"
#include "user/host/environment.h"
#include "user/base/err.h"
#include "user/base/need.h"
#include "user/base/num.h"
#include "user/base/out-read.h"
#include "user/show/notes.h"
#include "user/show/show-rows.h"
#include "user/metric/measurement.h"

/* ---- histograms of latencies ---- */

/* Number of octaves. An octave is the latencies from one power of two to the next. The first octave
 * is from 0 to 2 ns. */
#define OCTAVES (HIST_MAX_LOG2 + 1)

/* latency_to_ns is null for the last bucket, because the bucket has no upper bound. */
static struct out *bucket_json(u64 from_ns, u64 to_ns, bool is_last, u64 accesses)
{
	struct out *o = out_object();

	out_u64(o, "latency_from_ns", from_ns);
	if (is_last)
		out_null(o, "latency_to_ns");
	else
		out_u64(o, "latency_to_ns", to_ns);
	out_u64(o, "accesses", accesses);
	return o;
}

struct out *histogram_json(const u64 hist[HIST_BUCKETS])
{
	struct out *list = out_array();

	for (u32 i = 0; i < HIST_BUCKETS; i++)
		if (hist[i])
			out_append(list,
				   bucket_json(hist_floor_ns(i),
					       i + 1 < HIST_BUCKETS ? hist_floor_ns(i + 1) : 0,
					       i + 1 == HIST_BUCKETS, hist[i]));
	return list;
}

struct octaves {
	u64 accesses[OCTAVES];
	u64 most; /* number of accesses in the octave with the most accesses */
	int first, last;
};

static void add_bucket(void *octaves, const char *key, const struct out *bucket)
{
	struct octaves *to = octaves;
	u64 from = 0, accesses = 0;
	int at;

	out_get_u64(bucket, "latency_from_ns", &from);
	out_get_u64(bucket, "accesses", &accesses);
	at = from ? hist_log2(from) : 0;
	to->accesses[at] += accesses;
	if (to->accesses[at] > to->most)
		to->most = to->accesses[at];
	to->first = at < to->first ? at : to->first;
	to->last = at > to->last ? at : to->last;
}

static struct out *octaves_json(const struct out *buckets)
{
	struct octaves o = { .first = OCTAVES, .last = -1 };
	struct out *list = out_array();

	out_each(buckets, add_bucket, &o);
	for (int i = o.first; i <= o.last; i++) {
		struct out *row =
			bucket_json(i ? 1ULL << i : 0, 2ULL << i, i + 1 == OCTAVES, o.accesses[i]);

		out_f64(row, "of_most", (double)o.accesses[i] / o.most);
		out_append(list, row);
	}
	return list;
}

const struct view histogram_rows[] = {
	{ .path = KEY_HISTOGRAM,
	  .make = octaves_json,
	  .columns =
		  (const struct view_column[]){
			  COLUMN_OF("latency_from_ns", "latency from", VIEW_TIME),
			  COLUMN("latency_to_ns", .title = "to", .none = "more"),
			  COLUMN("accesses"),
			  COLUMN_OF("of_most", "", VIEW_BAR),
			  {},
		  } },
	{},
};

/* ---- sums and layers ---- */

struct out *show_sum_json(const struct report *r, const struct sum *s)
{
	struct out *o = r->keys ? sum_json_of(s, r->keys) : sum_json(s);

	if (r->has_histograms)
		out_put(o, KEY_HISTOGRAM, histogram_json(s->row.hist));
	return o;
}

struct out *show_operations_json(const struct report *r, const struct sum *ops,
				 const char *const *names, int n)
{
	struct out *o;

	if (r->keys && !r->options->per_part)
		return NULL;
	o = out_object();
	for (int i = 0; i < n; i++)
		if (ops[i].row.accesses || (ops[i].has_span && ops[i].span_ns))
			out_put(o, names[i], show_sum_json(r, &ops[i]));
	return o;
}

struct out *show_sync_json(const struct report *r, const struct sum *sync)
{
	struct out *o = out_object();

	if (sync->row.accesses || (sync->has_span && sync->span_ns))
		out_put(o, vfs_op_names[VFS_SYNC], show_sum_json(r, sync));
	return o;
}

/* Returns the sums of the operations of the app or vfs layer. For `iospan stat` without --parts
 * (r->keys is set), returns only the sum of the syncs, because it shows no other operation. */
static struct out *calls_json(const struct report *r, const struct sum *ops)
{
	if (r->keys && !r->options->per_part)
		return show_sync_json(r, &ops[VFS_SYNC]);
	return show_operations_json(r, ops, vfs_op_names, CALL_OPS);
}

struct out *show_layer_json(const struct report *r, int layer)
{
	const struct measurement *m = r->m;
	struct out *o;

	if (!report_sees(r, layer))
		return NULL;
	o = show_sum_json(r, &m->layers[layer]);
	if (r->missing && r->missing[layer] > 0)
		out_f64(o, "span_missing_fraction", r->missing[layer]);
	if (r->keys && r->options->pressure)
		pressure_json(o, &m->pressure);
	if (layer == LAYER_APP)
		out_put(o, "operations", calls_json(r, m->app_ops));
	if (layer == LAYER_VFS) {
		out_put(o, "operations", calls_json(r, m->vfs_ops));
		out_put(o, "sources",
			show_operations_json(r, m->vfs_sources, source_names, SRC_MAX));
	}
	return o;
}

struct out *show_layers_json(const struct report *r)
{
	struct out *o = out_object();

	for (int i = 0; i < LAYERS; i++)
		out_put(o, layer_names[i], show_layer_json(r, i));
	return o;
}

void show_summary_json(struct out *doc, const struct report *r)
{
	struct out *list = out_list(doc, "summary");
	double upper = report_amplification(r, LAYER_VFS, LAYER_APP);
	double lower = report_amplification(r, LAYER_DEVICE, LAYER_VFS);
	bool both = !isnan(upper) && !isnan(lower);
	char a[NUM_TEXT], b[NUM_TEXT];

	if (!isnan(upper) || !isnan(lower))
		out_append_strf(list, "amplification: %s%s%s%s%s (bytes)",
				isnan(upper) ? "" : "vfs/app ",
				isnan(upper) ? "" : num_ratio_text(a, upper), both ? ", " : "",
				isnan(lower) ? "" : "device/vfs ",
				isnan(lower) ? "" : num_ratio_text(b, lower));
}

static u64 less(u64 a, u64 b)
{
	return a > b ? a - b : 0;
}

/* Divides W of @layer into two parts: the time in which the device layer was busy, too, and the
 * time in which it was idle. */
static struct out *waiting_json(const struct report *r, int layer)
{
	const struct measurement *m = r->m;
	u64 wait_ns = m->layers[layer].wait_ns, device_ns = m->layers[LAYER_DEVICE].wait_ns;
	u64 union_ns = layer == LAYER_APP ? m->app_device_ns : m->vfs_device_ns;
	/* wait_ns, device_ns and union_ns are read one after the other. So wait_ns + device_ns
	 * may be a few ns less than union_ns. less() then returns 0. */
	u64 both_ns = less(wait_ns + device_ns, union_ns);
	bool known = report_sees(r, LAYER_DEVICE) && !r->no_joint;
	struct out *o;

	if (!report_sees(r, layer))
		return NULL;
	o = out_object();
	metric_json(o, metric_named(KEY_WAIT), &m->layers[layer]);
	out_u64_or_null(o, "wait_or_device_ns", known, union_ns);
	out_u64_or_null(o, "wait_for_device_ns", known, both_ns);
	out_u64_or_null(o, "wait_above_device_ns", known, less(wait_ns, both_ns));
	out_u64_or_null(o, "device_unwaited_ns", known, less(device_ns, both_ns));
	return o;
}

static void between_layers_json(struct out *doc, const struct report *r)
{
	struct out *o = out_object();

	for (int i = 0; i < LAYER_DEVICE; i++)
		out_put(o, layer_names[i], waiting_json(r, i));
	out_put(doc, "waiting", o);
	o = out_object();
	out_f64(o, "vfs_per_app", report_amplification(r, LAYER_VFS, LAYER_APP));
	out_f64(o, "device_per_vfs", report_amplification(r, LAYER_DEVICE, LAYER_VFS));
	out_f64(o, "device_per_app", report_amplification(r, LAYER_DEVICE, LAYER_APP));
	out_put(doc, "amplification", o);
}

static struct out *environment_json(const struct report *r)
{
	dev_t *disks = need(calloc(r->m->disks_n + 1, sizeof(*disks)));
	struct out *o;
	unsigned n = 0;

	for (unsigned i = 0; i < r->m->disks_n; i++)
		if (disk_is_used(&r->m->disks[i]))
			disks[n++] = makedev(DEV_MAJOR(r->m->disks[i].dev),
					     DEV_MINOR(r->m->disks[i].dev));
	o = environment_of_disks(&this_host, disks, n);
	free(disks);
	return o;
}

static void note_json(void *list, const char *text)
{
	out_append_str(list, text);
}

struct out *show_backends_json(const struct report *r)
{
	struct out *o = out_object();

	for (int i = 0; i < LAYERS; i++)
		out_str(o, layer_names[i], report_backend(r, i));
	return o;
}

static void losses_json(struct out *doc, const struct measurement *m)
{
	u64 device = m->layers[LAYER_DEVICE].row.accesses;
	struct out *o = out_object(), *texts = out_array();

	for (const struct loss *l = m->losses; l->name; l++) {
		char *text = l->n ? show_loss_text(l, device) : NULL;

		out_u64(o, l->name, l->n);
		if (text)
			out_append_str(texts, text);
		free(text);
	}
	out_put(doc, "losses", o);
	out_put(doc, "loss_texts", texts);
}

void show_estimated_json(struct out *doc, const struct measurement *m)
{
	char *text = show_estimated_text(m);

	if (text)
		out_append_str(out_list(doc, "loss_texts"), text);
	free(text);
}

const struct view show_evidence_views[] = {
	VIEW("loss_texts.*", .warns = true),
	VIEW("notes.*", .is_note = true),
	VIEW("table_notes.*", .is_note = true),
	VIEW("limits.*", .is_note = true, .is_verbose = true),
	VIEW("measured_by", .title = "measured by"),
	{},
};

void show_evidence_json(struct out *doc, const struct report *r)
{
	struct out *o = out_object();
	char *text;

	losses_json(doc, r->m);
	show_estimated_json(doc, r->m);
	for (unsigned i = 0; i < r->m->programs_n; i++)
		out_u64(o, r->m->programs[i].program, r->m->programs[i].missed);
	out_put(doc, "missed_runs", o);
	report_notes(r, note_json, out_list(doc, "notes"));
	report_limits(r, note_json, out_list(doc, "limits"));
	out_put(doc, "backends", show_backends_json(r));
	text = show_backends(r);
	out_str(doc, "measured_by", text);
	free(text);
	out_str(doc, "attribution", report_charge(r));
}

void show_numbers_json(struct out *doc, const struct report *r)
{
	out_put(doc, "layers", show_layers_json(r));
	if (r->options && r->options->pressure)
		pressure_json(doc, &r->m->pressure);
	out_put(doc, "devices", show_devices_json(r));
	if (r->options && r->options->per_cgroup)
		show_groups_json(doc, r);
	between_layers_json(doc, r);
}

struct out *show_document(const struct report *r)
{
	struct out *doc = out_object();
	char *words = need_words(r->argv), elapsed[NUM_TEXT];

	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", r->command);
	num_time_text(elapsed, r->m->elapsed_ns);
	if (r->everybody)
		out_strf(doc, "title", "%s: %s elapsed", r->attached ?: "the whole machine",
			 elapsed);
	else
		out_strf(doc, "title", "%s: %s elapsed, exit status %d", words, elapsed, r->status);
	free(words);
	show_summary_json(doc, r);
	out_u64(doc, "elapsed_ns", r->m->elapsed_ns);
	out_words(doc, "argv", r->argv);
	out_u64_or_null(doc, "exit_status", !r->everybody, r->status);
	out_bool(doc, "complete", !r->runs_on);
	show_numbers_json(doc, r);
	show_evidence_json(doc, r);
	out_put(doc, "environment", environment_json(r));
	return doc;
}
