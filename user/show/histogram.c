// SPDX-License-Identifier: GPL-2.0-or-later
#include "user/show/histogram.h"

#include <stdlib.h>

#include "user/base/num.h"
#include "user/base/table.h"
#include "user/metric/metric.h"
#include "user/result/place.h"

#define BAR 40 /* length of the longest bar, in characters */
/* number of octaves of a histogram; the first one is from 0 to 2 ns */
#define OCTAVES (HIST_MAX_LOG2 + 1)

struct out *histogram_json(const u64 hist[HIST_BUCKETS])
{
	struct out *list = out_array();

	for (u32 i = 0; i < HIST_BUCKETS; i++) {
		struct out *o;

		if (!hist[i])
			continue;
		o = out_object();
		out_u64(o, "latency_from_ns", hist_floor_ns(i));
		if (i + 1 < HIST_BUCKETS)
			out_u64(o, "latency_to_ns", hist_floor_ns(i + 1));
		else
			out_null(o, "latency_to_ns");
		out_u64(o, "accesses", hist[i]);
		out_append(list, o);
	}
	return list;
}

struct octaves {
	u64 accesses[OCTAVES];
	u64 most; /* number of accesses in the octave that has the most */
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

/* Prints the row of an octave. The last octave has no upper bound. */
static void octave_text(FILE *f, const struct octaves *o, int at)
{
	char from[NUM_TEXT], to[NUM_TEXT], count[NUM_TEXT];
	/* rounded up, so that a single access is visible */
	int bar = (o->accesses[at] * BAR + o->most - 1) / o->most;

	num_time_text(from, at ? 1ULL << at : 0);
	num_time_text(to, 2ULL << at);
	fprintf(f, "  %10s %s %-8s %9s  |%.*s%*s|\n", from, at + 1 < OCTAVES ? ".." : "or",
		at + 1 < OCTAVES ? to : "more", num_count_text(count, o->accesses[at]), bar,
		"****************************************", BAR - bar, "");
}

/* Prints, for instance, ", p50 83.2 us". */
static void metric_after_comma(FILE *f, const struct out *sum, const char *key)
{
	char buf[NUM_TEXT];
	double ns;

	if (out_get_f64(sum, key, &ns))
		fprintf(f, ", %s %s", metric_named(key)->title, num_time_text(buf, ns));
}

static void histogram_text(FILE *f, const struct out *sum, const char *what, const char *name,
			   const char *part)
{
	struct octaves o = { .first = OCTAVES, .last = -1 };
	u64 timed = 0;

	out_each(out_get(sum, KEY_HISTOGRAM), add_bucket, &o);
	if (!o.most)
		return;
	for (int i = o.first; i <= o.last; i++)
		timed += o.accesses[i];
	out_line_format(f, "  %s%s%s %s: %llu access%s", what, *name ? " " : "", name, part,
			(unsigned long long)timed, num_word(timed, "", "es"));
	metric_after_comma(f, sum, "latency_p50_ns");
	metric_after_comma(f, sum, "latency_p90_ns");
	metric_after_comma(f, sum, "latency_p95_ns");
	metric_after_comma(f, sum, KEY_LATENCY_P99);
	metric_after_comma(f, sum, "latency_max_ns");
	fputc('\n', f);
	for (int i = o.first; i <= o.last; i++)
		octave_text(f, &o, i);
	fputc('\n', f);
}

static void operation_of_layer(void *f, const struct place *at)
{
	histogram_text(f, at->node, at->above->name, "", at->name);
}

static void operation_of_device(void *f, const struct place *at)
{
	histogram_text(f, at->node, "device", out_get_str(at->above->node, "name"), at->name);
}

static void layer_of_cgroup(void *f, const struct place *at)
{
	histogram_text(f, at->node, "cgroup", out_get_str(at->above->node, "title"), at->name);
}

static void layer_of_process(void *f, const struct place *at)
{
	histogram_text(f, at->node, "process", out_get_str(at->above->node, "title"), at->name);
}

void histograms_text(FILE *f, const struct out *doc)
{
	const struct place whole = { .node = doc };

	fputc('\n', f);
	each_place(&whole, "layers.*.operations.*", operation_of_layer, f);
	each_place(&whole, "devices.*.operations.*", operation_of_device, f);
	each_place(&whole, "cgroups.*.layers.*", layer_of_cgroup, f);
	each_place(&whole, "processes.*.layers.*", layer_of_process, f);
}
