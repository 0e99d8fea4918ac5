// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the document for Prometheus. A cgroup has series of its own, or it is folded: its I/O is
 * only in the series for the total of all folded cgroups. */
#include "user/exporter/groups.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/err.h"
#include "user/base/need.h"
#include "user/exporter/disks.h"
#include "user/exporter/openmetrics.h"
#include "user/exporter/put.h"
#include "user/exporter/shares.h"

struct exporter {
	/* bit masks of layers. .layers: measured now. .selected: chosen by the user. */
	unsigned layers, selected;
	struct exporter_limits limits;
	struct exported_groups groups;
	struct bursts *bursts;
	struct exported_disks disks;
	/* copy of the last measurement, for the metrics of the whole machine; it lacks the arrays
	 * of disks and groups */
	struct measurement *rest;
};

void exporter_update(struct exporter *e, const struct measurement *m)
{
	unsigned *disk_of = exported_disks_update(&e->disks, m, e->limits.keep_ns);

	exported_groups_update(&e->groups, m, disk_of, &e->limits);
	free(disk_of);
	bursts_update(e->bursts, m, &e->disks);
	*e->rest = *m;
	e->rest->disks = NULL;
	e->rest->groups = NULL;
	e->rest->parts = NULL;
	e->rest->shares = NULL;
}

bool exporter_due(const struct exporter *e, u64 elapsed_ns)
{
	return bursts_due(e->bursts, elapsed_ns);
}

void exporter_end_vfs(struct exporter *e)
{
	e->layers &= ~(1U << LAYER_VFS);
	e->groups.vfs_ended = true;
}

struct exporter *exporter_new(unsigned layers, const struct exporter_limits *limits)
{
	struct exporter *e = need(calloc(1, sizeof(*e)));

	e->layers = e->selected = layers;
	e->limits = *limits;
	e->bursts = bursts_new(&limits->bursts);
	e->rest = need(calloc(1, sizeof(*e->rest)));
	return e;
}

void exporter_free(struct exporter *e)
{
	if (!e)
		return;
	exported_groups_release(&e->groups);
	bursts_free(e->bursts);
	exported_disks_release(&e->disks);
	free(e->rest);
	free(e);
}

enum scope { SCOPE_PART, SCOPE_GROUP, SCOPE_DEVICE };

struct counted {
	enum scope scope;
	size_t offset;
	struct family family;
};
#define COUNT(s, field, n, u, h) \
	{ \
		s, offsetof(struct counts, field), \
		{ \
			FAMILY_COUNTER, n, u, h \
		} \
	}

static const struct counted counted[] = {
	COUNT(SCOPE_PART, accesses, "iospan_accesses", NULL,
	      "Accesses of a cgroup and those below it, by layer, disk and operation."),
	COUNT(SCOPE_PART, bytes, "iospan_bytes", "bytes",
	      "Bytes of the accesses of a cgroup and those below it, by layer, disk and "
	      "operation."),
	COUNT(SCOPE_PART, errors, "iospan_errors", NULL,
	      "Failed accesses of a cgroup and those below it, by layer, disk and operation."),
	COUNT(SCOPE_PART, latency_sum_ns, "iospan_latency_sum_seconds", "seconds",
	      "Sum of the latencies of the accesses of a cgroup and those below it, by layer, disk "
	      "and operation. iospan_cgroup_latency_seconds_sum is the sum of its reads and writes "
	      "on disks that are not stacked."),
	COUNT(SCOPE_PART, span_ns, "iospan_span_seconds", "seconds",
	      "T: time with at least one access of a cgroup and those below it in flight, by "
	      "layer, disk and operation."),
	COUNT(SCOPE_GROUP, accesses, "iospan_cgroup_accesses", NULL,
	      "Reads and writes of a cgroup and those below it, by layer."),
	COUNT(SCOPE_GROUP, bytes, "iospan_cgroup_bytes", "bytes",
	      "Bytes of the reads and writes of a cgroup and those below it, by layer."),
	COUNT(SCOPE_GROUP, errors, "iospan_cgroup_errors", NULL,
	      "Failed reads and writes of a cgroup and those below it, by layer."),
	COUNT(SCOPE_GROUP, span_ns, "iospan_cgroup_span_seconds", "seconds",
	      "T: time with at least one read or write of a cgroup and those below it in flight, "
	      "by layer."),
	COUNT(SCOPE_DEVICE, accesses, "iospan_device_accesses", NULL,
	      "Reads and writes of a disk."),
	COUNT(SCOPE_DEVICE, bytes, "iospan_device_bytes", "bytes",
	      "Bytes of a disk's reads and writes."),
	COUNT(SCOPE_DEVICE, errors, "iospan_device_errors", NULL,
	      "Reads and writes of a disk that failed."),
	COUNT(SCOPE_DEVICE, span_ns, "iospan_device_span_seconds", "seconds",
	      "T: time with at least one of a disk's reads and writes in flight."),
	COUNT(SCOPE_DEVICE, queued, "iospan_device_queued_accesses", NULL,
	      "Reads and writes of a disk that waited in the I/O scheduler."),
	COUNT(SCOPE_DEVICE, queue_sum_ns, "iospan_device_queue_sum_seconds", "seconds",
	      "Sum of the waits of a disk's reads and writes in the I/O scheduler."),
};

static const struct family group_histogram = {
	FAMILY_HISTOGRAM, "iospan_cgroup_latency_seconds", "seconds",
	"Latencies of the reads and writes of a cgroup and those below it, by layer."
};
static const struct family sync_histogram = {
	FAMILY_HISTOGRAM, "iospan_cgroup_sync_latency_seconds", "seconds",
	"Latencies of the sync calls of a cgroup and those below it."
};
static const struct family device_histogram = { FAMILY_HISTOGRAM, "iospan_device_latency_seconds",
						"seconds",
						"Latencies of a disk's reads and writes." };

static void put_counted(struct openmetrics *o, const struct counted *c, const char *labels,
			const char *more, const struct counts *counts)
{
	u128 n = *(const u128 *)((const char *)counts + c->offset);

	if (c->family.unit && !strcmp(c->family.unit, "seconds"))
		sample_seconds(o, labels, more, n);
	else
		sample_count(o, labels, more, n);
}

static const char *const layer_labels[LAYERS] = {
	"layer=\"app\"",
	"layer=\"vfs\"",
	"layer=\"device\"",
};

static void put_parts(struct openmetrics *o, const struct exporter *e, const struct counted *c,
		      const struct exported_group *g)
{
	char more[sizeof("layer=\"device\",op=\"discard\",") + DISK_NAME * 3 + 16];

	for (unsigned i = 0; i < g->parts_n; i++) {
		const struct exported_part *p = &g->parts[i];

		if (p->layer == LAYER_DEVICE)
			snprintf(more, sizeof(more), "%s,%s,op=\"%s\"", layer_labels[p->layer],
				 p->disk < e->disks.n ? e->disks.all[p->disk].name : "",
				 op_names[p->op]);
		else
			snprintf(more, sizeof(more), "%s,op=\"%s\"", layer_labels[p->layer],
				 vfs_op_names[p->op]);
		put_counted(o, c, g->labels, more, &p->counts);
	}
}

static void put_groups(struct openmetrics *o, const struct exporter *e, const struct counted *c)
{
	for (size_t i = 0; i < e->groups.n; i++) {
		const struct exported_group *g = &e->groups.all[i];

		for (int l = 0; l < LAYERS && !g->folded; l++)
			if (exported_group_used(g, l))
				put_counted(o, c, g->labels, layer_labels[l], &g->layers[l].counts);
	}
}

static void put_histogram(struct openmetrics *o, const struct exported_group *g, int layer,
			  const struct exported_sum *sum)
{
	char *labels = need_text("%s,%s", g->labels, layer_labels[layer]);

	sample_histogram(o, labels, sum);
	free(labels);
}

static void put_group_histograms(struct openmetrics *o, const struct exporter *e)
{
	family_begin(o, &group_histogram);
	for (size_t i = 0; i < e->groups.n; i++) {
		const struct exported_group *g = &e->groups.all[i];

		for (int l = 0; l < LAYERS && !g->folded; l++)
			if (exported_group_used(g, l))
				put_histogram(o, g, l, &g->layers[l]);
	}
	family_begin(o, &sync_histogram);
	for (size_t i = 0; i < e->groups.n; i++) {
		const struct exported_group *g = &e->groups.all[i];

		if (!g->folded && g->sync.counts.accesses)
			put_histogram(o, g, LAYER_VFS, &g->sync);
	}
}

static void put_all_accesses(struct openmetrics *o, const struct exporter *e)
{
	for (size_t i = 0; i < sizeof(counted) / sizeof(*counted); i++) {
		const struct counted *c = &counted[i];

		family_begin(o, &c->family);
		if (c->scope == SCOPE_GROUP)
			put_groups(o, e, c);
		for (size_t n = 0; c->scope == SCOPE_PART && n < e->groups.n; n++)
			if (!e->groups.all[n].folded)
				put_parts(o, e, c, &e->groups.all[n]);
		for (unsigned d = 0; c->scope == SCOPE_DEVICE && d < e->disks.n; d++)
			if (!e->disks.all[d].ended)
				put_counted(o, c, e->disks.all[d].labels, "",
					    &e->disks.all[d].sum.counts);
	}
	put_group_histograms(o, e);
	family_begin(o, &device_histogram);
	for (unsigned i = 0; i < e->disks.n; i++) {
		const struct exported_disk *d = &e->disks.all[i];

		if (!d->ended)
			sample_histogram(o, d->labels, &d->sum);
	}
}

static const struct family build = { FAMILY_INFO, "iospan_build", NULL, "Version of iospan." };
static const struct family states = {
	FAMILY_GAUGE, "iospan_cgroups", NULL,
	"Cgroups that had accesses, by state. live: it exists and has series. removed: it no "
	"longer exists, but has series. folded: it has no series, because of --max-series. other: "
	"it has no counters, because of --max-groups or because it is nested more than 16 deep."
};
static const struct family folded_accesses = {
	FAMILY_COUNTER, "iospan_folded_accesses", NULL,
	"Reads and writes of cgroups while they were folded. A folded cgroup has no series, "
	"because there are more than --max-series. The series of its parent cgroups include it."
};
static const struct family folded_bytes = {
	FAMILY_COUNTER, "iospan_folded_bytes", "bytes",
	"Bytes of the reads and writes of cgroups while they were folded."
};
static const struct family folded_groups = {
	FAMILY_COUNTER, "iospan_folded_cgroups", NULL,
	"Times that a cgroup that was still measured was folded, that is, lost its series because "
	"of --max-series."
};
static const struct family in_flight = { FAMILY_GAUGE, "iospan_in_flight_accesses", NULL,
					 "Accesses of disks in flight." };
static const struct family measured = { FAMILY_COUNTER, "iospan_measured_seconds", "seconds",
					"Time since the start of the measurement." };
static const struct family shared = {
	FAMILY_COUNTER, "iospan_device_shared_seconds", "seconds",
	"Time in which several cgroups had reads or writes in flight on a disk."
};

static void put_shared(struct openmetrics *o, const struct exporter *e)
{
	const char **devices = need(calloc(e->disks.n + 1, sizeof(*devices)));

	family_begin(o, &shared);
	for (unsigned i = 0; i < e->disks.n; i++) {
		const struct exported_disk *d = &e->disks.all[i];

		if (!d->ended)
			sample_seconds(o, d->labels, "", d->shared_ns);
		devices[i] = d->name;
	}
	put_shares(o, &e->groups, devices);
	free(devices);
}

static void put_states(struct openmetrics *o, const struct exported_groups *g, u64 other)
{
	u64 live = 0, removed = 0, folded = 0;

	for (size_t i = 0; i < g->n; i++) {
		const struct exported_group *one = &g->all[i];

		*(one->folded ? &folded : one->removed || one->gone_ns ? &removed : &live) += 1;
	}
	family_begin(o, &states);
	sample_count(o, "state=\"live\"", "", live);
	sample_count(o, "state=\"removed\"", "", removed);
	sample_count(o, "state=\"folded\"", "", folded);
	sample_count(o, "state=\"other\"", "", other);
	family_begin(o, &folded_groups);
	sample_count(o, "", "", g->folded_n);
}

static void put_folded(struct openmetrics *o, const struct exporter *e)
{
	family_begin(o, &folded_accesses);
	for (int l = LAYER_VFS; l < LAYERS; l++)
		if (e->layers & 1 << l)
			sample_count(o, layer_labels[l], "", e->groups.folded[l].accesses);
	family_begin(o, &folded_bytes);
	for (int l = LAYER_VFS; l < LAYERS; l++)
		if (e->layers & 1 << l)
			sample_count(o, layer_labels[l], "", e->groups.folded[l].bytes);
}

char *exporter_text(const struct exporter *e, bool classic, size_t *size)
{
	struct openmetrics o = { .classic = classic };

	family_begin(&o, &build);
	sample_count(&o, "version=\"" VERSION "\"", "", 1);
	put_all_accesses(&o, e);
	if (e->layers & 1 << LAYER_DEVICE)
		put_shared(&o, e);
	put_waiting(&o, &e->groups, &e->rest->pressure);
	put_losses(&o, e->selected, e->rest);
	put_programs(&o, e->rest);
	put_layers(&o, e->selected, e->layers, e->limits.cpu);
	put_states(&o, &e->groups, e->rest->notes.other_groups);
	put_folded(&o, e);
	put_others(&o, e->layers, &e->rest->others);
	family_begin(&o, &in_flight);
	sample_count(&o, "", "", e->rest->in_flight);
	put_bursts(&o, e->bursts);
	family_begin(&o, &measured);
	sample_seconds(&o, "", "", e->rest->elapsed_ns);
	put_process(&o);
	openmetrics_end(&o);
	*size = o.size;
	return o.text;
}
