// SPDX-License-Identifier: GPL-2.0-or-later
/* The result of a replay as JSON, with the recorded and the replayed metrics. T is the time in
 * which at least one access was in flight. */
#include "bench/replay/replay-result.h"

#include <stdio.h>

#include "bench/load/verify-result.h"
#include "user/base/num.h"
#include "user/host/environment.h"
#include "user/metric/measurement.h"
#include "user/show/show-json.h"

static const char *const left_out[FATES] = {
	[FATE_FAILED] = "failed",
	[FATE_UNTIMED] = "the start or end is not known",
	[FATE_UNPLACED] = "the file or offset is not known",
	[FATE_EMPTY] = "no data were transferred",
	[FATE_LARGE] = "larger than 1 GiB",
	[FATE_OPERATION] = "neither read, write nor sync",
};

static bool is_measured(const struct load_result *l, int layer)
{
	return layer == LAYER_APP || l->below;
}

static struct sum replayed_sum(const struct load_result *l, int layer)
{
	return layer == LAYER_APP ? l->all : layers_sum(l->below, layer);
}

static void put_layers(struct out *doc, const struct replay *r, const struct load_result *l)
{
	struct out *layers = out_object();

	for (int layer = 0; layer < LAYERS; layer++) {
		struct out *o = out_object();

		out_put(o, "recorded", r->seen[layer] ? sum_json(&r->recorded[layer]) : NULL);
		if (is_measured(l, layer)) {
			struct sum sum = replayed_sum(l, layer);

			out_put(o, "replayed", sum_json(&sum));
		} else {
			out_null(o, "replayed");
		}
		out_put(layers, layer_names[layer], o);
	}
	out_put(doc, "layers", layers);
}

static void put_regions(struct out *o, const struct replay *r)
{
	struct out *list = out_list(o, "regions");

	for (u32 i = 0; i < r->regions_n; i++) {
		struct out *region = out_object();

		out_str(region, "name", r->regions[i].name);
		out_u64(region, "offset_bytes", r->regions[i].offset);
		out_u64(region, "size_bytes", r->regions[i].bytes);
		out_append(list, region);
	}
}

static u64 count_left_out(const struct replay *r)
{
	u64 n = 0;

	for (int fate = FATE_REPLAYED + 1; fate < FATE_NONE; fate++)
		n += r->fates[r->layer][fate];
	return n;
}

static struct out *replay_json(const struct replay *r, const struct load_result *l)
{
	struct out *o = out_object();

	out_str(o, "trace", r->path);
	out_words(o, "targets", l->targets);
	out_str(o, "layer", layer_names[r->layer]);
	out_bool(o, "think", !r->no_think);
	out_bool(o, "exact_order", r->exact_order);
	out_bool(o, "buffered", l->spec->buffered);
	out_u64(o, "process_count", r->processes_n);
	out_u64(o, "depth", l->spec->depth);
	out_u64(o, "transfer_count", r->transfers[r->layer]);
	out_u64(o, "sync_count", r->syncs);
	out_u64(o, "left_out_count", count_left_out(r));
	out_u64(o, "recorded_loss_count", r->losses);
	out_u64(o, "target_bytes", r->bytes);
	put_regions(o, r);
	return o;
}

#define WAIT_TEXT (4 * NUM_TEXT)

/* Writes W of the recording and of the replay to @to, if the replay has syncs: W, the time of
 * waiting, includes syncs, but T does not. Writes an empty text if W is unknown or @complete is
 * false. Returns @to. */
static const char *wait_text(char to[WAIT_TEXT], const struct replay *r, bool complete,
			     const struct sum *replayed)
{
	const struct sum *recorded = &r->recorded[r->layer];
	char a[NUM_TEXT], b[NUM_TEXT], c[NUM_TEXT];

	*to = '\0';
	if (complete && r->syncs && replayed->has_wait && recorded->wait_ns)
		snprintf(to, WAIT_TEXT, "; with %llu %s: W %s, recorded %s, ratio %s",
			 (unsigned long long)r->syncs, num_word(r->syncs, "sync", "syncs"),
			 num_time_text(a, replayed->wait_ns), num_time_text(b, recorded->wait_ns),
			 num_ratio_text(c, (double)replayed->wait_ns / recorded->wait_ns));
	return to;
}

/* Adds a sentence with T of the recording and T of the replay, at the replayed layer. If that layer
 * was not measured in the replay, uses the app layer of the replay. If the replay is incomplete,
 * gives no ratio, because T of the recording is for all accesses. */
static void put_conclusion(struct out *doc, const struct replay *r, const struct load_result *l)
{
	bool measured = is_measured(l, r->layer), complete = load_is_complete(l);
	struct sum replayed = replayed_sum(l, measured ? r->layer : LAYER_APP);
	const struct sum *recorded = &r->recorded[r->layer];
	char a[NUM_TEXT], b[NUM_TEXT], c[NUM_TEXT] = "-", found[VERIFY_TEXT], wait[WAIT_TEXT];

	if (recorded->span_ns)
		num_ratio_text(c, (double)replayed.span_ns / recorded->span_ns);
	out_strf(
		doc, "conclusion",
		"%sreplayed %llu of %llu reads and writes of layer %s: T %s%s, recorded %s%s%s%s%s",
		complete ? "" : "incomplete: ", (unsigned long long)l->all.row.accesses,
		(unsigned long long)r->seen[r->layer], layer_names[r->layer],
		num_time_text(a, replayed.span_ns),
		measured ? "" : " (of layer app: the replayed layer was not measured)",
		num_time_text(b, recorded->span_ns), complete ? ", ratio " : " for all",
		complete ? c : "", wait_text(wait, r, complete, &replayed),
		verify_text(found, l->spec->verify));
}

/* Adds a note if the page cache served a large part of the replay: if the disks moved less than
 * CACHED_FRACTION of the bytes that they moved in the recording. */
#define CACHED_FRACTION 0.75
static void put_cache_note(struct out *notes, const struct replay *r, const struct load_result *l)
{
	u64 recorded = r->recorded[LAYER_DEVICE].row.bytes, replayed;
	char a[NUM_TEXT], b[NUM_TEXT];

	if (!l->spec->buffered || !l->below || !load_is_complete(l))
		return;
	replayed = replayed_sum(l, LAYER_DEVICE).row.bytes;
	if (replayed < CACHED_FRACTION * recorded)
		out_append_strf(notes,
				"the replay used the page cache: disks moved %s, and %s in the "
				"recording; --direct bypasses the page cache",
				num_bytes_text(a, replayed), num_bytes_text(b, recorded));
}

static void put_notes(struct out *doc, const struct replay *r, const struct load_result *l)
{
	struct out *notes = out_list(doc, "notes");

	if (r->damaged)
		out_append_str(notes, "the trace is damaged or cut off, so accesses are missing");
	if (r->regions_n > 1)
		out_append_strf(notes,
				"each of the %u %s of the trace has its own region of the target",
				r->regions_n, r->layer == LAYER_DEVICE ? "disks" : "files");
	if (r->layer == LAYER_DEVICE && !r->stacked && r->seen[STACKED])
		out_append_strf(notes,
				"%llu access%s of stacked disks left out, which other disks have "
				"as well; --device selects a stacked disk",
				(unsigned long long)r->seen[STACKED],
				num_word(r->seen[STACKED], "", "es"));
	for (int fate = FATE_REPLAYED + 1; fate < FATE_NONE; fate++)
		if (r->fates[r->layer][fate])
			out_append_strf(notes, "%llu access%s left out: %s",
					(unsigned long long)r->fates[r->layer][fate],
					num_word(r->fates[r->layer][fate], "", "es"),
					left_out[fate]);
	put_cache_note(notes, r, l);
	load_request_notes(notes, l);
	load_end_note(notes, l);
}

struct out *replay_document(const struct replay *r, const struct load_result *l)
{
	struct out *doc = out_object();

	out_str(doc, "iospan", VERSION);
	out_str(doc, "command", "bench replay");
	out_u64(doc, "elapsed_ns", l->all.elapsed_ns);
	put_conclusion(doc, r, l);
	out_put(doc, "replay", replay_json(r, l));
	out_bool(doc, "complete", load_is_complete(l));
	put_layers(doc, r, l);
	if (l->below) {
		const struct report report = { .m = l->below->m, .options = &l->below->options };

		show_evidence_json(doc, &report);
	}
	put_notes(doc, r, l);
	out_put(doc, "verify", l->spec->verify ? verify_json(l->spec->verify, l->targets) : NULL);
	out_put(doc, "environment", environment(&this_host, l->targets[0]));
	return doc;
}

static const struct view_column amounts[] = {
	COLUMN("^@", .title = "layer"),
	COLUMN("@", .title = "run"),
	COLUMN("accesses"),
	COLUMN("bytes"),
	COLUMN("errors"),
	COLUMN("span_ns", .estimated = "span_repaired_fraction"),
	COLUMN(KEY_WAIT),
	COLUMN("bps"),
	COLUMN("iops"),
	COLUMN(KEY_BANDWIDTH),
	COLUMN("concurrency"),
	{},
};

static const struct view_column latencies[] = {
	COLUMN("^@", .title = "layer"), COLUMN("@", .title = "latency"),
	COLUMN(KEY_LATENCY_MEAN),	COLUMN("latency_p50_ns"),
	COLUMN("latency_p90_ns"),	COLUMN("latency_p95_ns"),
	COLUMN(KEY_LATENCY_P99),	COLUMN("latency_p999_ns"),
	COLUMN("latency_max_ns"),	{},
};

static const struct view_column csv[] = {
	COLUMN("^@", .title = "layer"), COLUMN("@", .title = "run"), SHOW_EVERY_METRIC, {}
};

static const struct view_column settings[] = {
	COLUMN("layer"),
	COLUMN("think", .off = "no"),
	COLUMN("exact_order", .title = "exact order", .off = "no"),
	COLUMN("buffered", .off = "no"),
	COLUMN("process_count", .title = "processes"),
	COLUMN("depth"),
	COLUMN("transfer_count", .title = "transfers"),
	COLUMN("sync_count", .title = "syncs"),
	COLUMN("left_out_count", .title = "left out"),
	COLUMN("recorded_loss_count", .title = "losses"),
	COLUMN("target_bytes", .title = "target size"),
	{},
};

static const struct view_column regions[] = {
	COLUMN("name", .title = "region"),
	COLUMN("offset_bytes", .title = "offset"),
	COLUMN("size_bytes", .title = "size"),
	{},
};

const struct view replay_views[] = {
	VIEW("conclusion"),
	VIEW("replay.trace", .title = "trace"),
	VIEW("replay.targets.*", .title = "target"),
	VIEW("layers.*.*", .columns = amounts, .left = 2, .only_with = "accesses"),
	VIEW("layers.*.*", .columns = latencies, .left = 2, .only_with = "accesses"),
	VIEW("replay", .columns = settings, .left = 1),
	VIEW("verify", .columns = verify_checks),
	VIEW("verify.first_differences.*", .columns = verify_differences, .left = 3),
	VIEW("replay.regions.*", .columns = regions, .left = 1, .most = 20),
	VIEW("layers.*.*", .columns = csv, .is_csv = true, .is_hidden = true,
	     .only_with = "accesses"),
	VIEW("", .inner = show_evidence_views),
	{},
};
